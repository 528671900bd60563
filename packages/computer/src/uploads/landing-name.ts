const MAX_HINT = 64;

/**
 * The name of an uploaded file: its random id, and what is left of the Agent's hint in harmless characters. It cannot
 * leave its folder, hide itself or replace another file.
 */
export function landingName(id: string, hint = ''): string {
  const name = hint
    .replaceAll(/[^A-Za-z0-9._-]/gu, '_')
    .slice(0, MAX_HINT)
    .replaceAll(/^[._-]+|[._-]+$/g, '');
  return name === '' ? id : `${id}_${name}`;
}
