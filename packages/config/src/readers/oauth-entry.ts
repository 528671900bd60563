import { isObject, type JsonObject, type JsonPath, type JsonValue } from '../json/json-value.js';
import type { OAuthSettings } from '../model/oauth-settings.js';
import type { ProblemList } from '../problems.js';
import { checkSchema } from '../schemas/check-schema.js';
import { OAUTH_KEYS, oauthSettings } from '../schemas/oauth-schema.js';

/** The spellings of other tools: Claude Code, Gemini CLI, opencode (`oauth`) and Cursor (`auth`). */
const SPELLINGS: Readonly<Record<string, string>> = {
  clientId: 'client_id',
  CLIENT_ID: 'client_id',
  clientSecret: 'client_secret',
  CLIENT_SECRET: 'client_secret',
  clientMetadataUrl: 'client_metadata_url',
  scope: 'scopes',
  callbackPort: 'redirect_port',
  redirectPort: 'redirect_port',
};
/** Keys that only switch the login on, or that discovery makes unnecessary. */
const WITHOUT_EFFECT = ['enabled', 'authServerMetadataUrl', 'authorizationUrl', 'tokenUrl', 'redirectUri', 'audiences'];

/** Reads the OAuth settings in the file of another tool, from `oauth` or `auth`. */
export function oauthOfEntry(entry: JsonObject, path: JsonPath, problems: ProblemList): OAuthSettings | undefined {
  const field = isObject(entry.oauth) ? 'oauth' : 'auth';
  const value = entry[field];
  if (!isObject(value)) return undefined;
  const settings: Record<string, JsonValue> = {};
  for (const [key, given] of Object.entries(value)) {
    const name = Object.hasOwn(SPELLINGS, key) ? (SPELLINGS[key] ?? key) : key;
    if (WITHOUT_EFFECT.includes(key) || given === null) continue;
    if (OAUTH_KEYS.includes(name))
      settings[name] = name === 'scopes' && typeof given === 'string' ? words(given) : given;
    else problems.unknownKey('warning', [...path, field, key], OAUTH_KEYS);
  }
  const checked = checkSchema(oauthSettings, { problems, base: [...path, field], value: settings });
  return checked && Object.keys(checked).length > 0 ? (checked as OAuthSettings) : undefined;
}

function words(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}
