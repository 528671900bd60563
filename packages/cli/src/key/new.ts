import { addKey, type NewApiKey, newApiKey, type Role } from '@a2c/server';
import { UsageError } from '../exit-codes.js';
import { print, printError, printJson } from '../output.js';

export interface NewKeyOptions {
  readonly file?: string;
  readonly role?: readonly Role[];
  readonly office?: readonly string[];
  readonly name?: readonly string[];
  readonly tool?: readonly string[];
  readonly server?: readonly string[];
  readonly operator?: true;
  readonly expires?: string;
  readonly json?: true;
}

/** `a2c key new`: prints the key on stdout, and the entry unless it was added to a file. */
export async function newKey(subject: string, options: NewKeyOptions): Promise<void> {
  const { file, json } = options;
  const created = await create(subject, options);
  if (json) return printJson(created);
  print(created.key);
  if (file === undefined) print(JSON.stringify(created.entry));
  const where = file === undefined ? 'add the entry to "keys" of the key file' : `added "${subject}" to ${file}`;
  printError(`${where}; the key is shown only now`);
}

async function create(subject: string, options: NewKeyOptions): Promise<NewApiKey> {
  const { file, role, office, name, tool, server, operator, expires } = options;
  try {
    const created = newApiKey({
      subject,
      ...(role && { roles: role }),
      ...(office && { offices: office }),
      ...(name && { names: name }),
      ...(tool && { tools: tool }),
      ...(server && { servers: server }),
      ...(operator && { operator }),
      ...(expires !== undefined && { expires }),
    });
    if (file !== undefined) await addKey(file, created.entry);
    return created;
  } catch (error) {
    // The place in the entry is the name of the option.
    throw new UsageError((error as Error).message.replace('the new key: /keys/0/', ''), { cause: error });
  }
}
