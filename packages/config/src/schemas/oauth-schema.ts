import { z } from 'zod';
import { OAUTH_GRANTS } from '../model/oauth-settings.js';
import { notBlank, strictObject } from './field-schemas.js';

const httpsUrl = z
  .string()
  .refine((text) => text.includes('${') || /^https:\/\/[^/]+\/./.test(text), 'expected an https:// URL with a path')
  .meta({ pattern: '^https://|\\$\\{' });
const url = z
  .string()
  .refine((text) => text.includes('${') || (URL.canParse(text) && /^https?:/.test(text)), 'expected an http(s) URL')
  .meta({ pattern: '^https?://|\\$\\{' });

/** `oauth` of an HTTP server in our own formats. */
export const oauthSettings = strictObject({
  grant: z.enum(OAUTH_GRANTS).optional(),
  client_id: notBlank.optional(),
  client_secret: notBlank.optional(),
  client_metadata_url: httpsUrl.optional(),
  scopes: z.array(notBlank.regex(/^\S+$/, 'a scope contains no blank')).optional(),
  issuer: url.optional(),
  audience: notBlank.optional(),
  redirect_port: z.int().min(1, 'must be a port').max(65_535, 'must be a port').optional(),
  account: notBlank.optional(),
  private_key: notBlank.optional(),
  private_key_algorithm: z.enum(['ES256', 'ES384', 'RS256', 'RS384', 'RS512', 'PS256']).optional(),
  assertion: notBlank.optional(),
  id_token: notBlank.optional(),
  idp_token_endpoint: url.optional(),
  idp_client_id: notBlank.optional(),
  idp_client_secret: notBlank.optional(),
});
export const OAUTH_KEYS: readonly string[] = Object.keys(oauthSettings.shape);
