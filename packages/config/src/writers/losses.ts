/** Something that the target format cannot express. */
export interface Loss {
  /** null for what concerns the whole file. */
  readonly server: string | null;
  readonly field: string;
  readonly message: string;
}

export function formatLoss({ server, field, message }: Loss): string {
  return `${server === null ? field : `${server}: ${field}`}: ${message}`;
}

export class LossList {
  readonly #losses: Loss[] = [];

  get all(): readonly Loss[] {
    return this.#losses;
  }

  add(server: string | null, field: string, message: string): void {
    this.#losses.push({ server, field, message });
  }

  /** Notes every named thing that was really said. */
  addPresent(server: string | null, fields: Readonly<Record<string, boolean>>, message: string): void {
    for (const [field, said] of Object.entries(fields)) if (said) this.add(server, field, message);
  }
}
