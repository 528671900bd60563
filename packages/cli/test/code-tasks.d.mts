/** A task as one piece of code, and the value that it returns. */
interface Task {
  readonly code: string;
  readonly result: unknown;
}

export const TASKS: Readonly<Record<'paging' | 'joining' | 'filtering' | 'retry' | 'fan-out', Task>>;
