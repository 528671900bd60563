import { randomBytes, timingSafeEqual } from 'node:crypto';
import {
  exchangeAuthorization,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import { clientFor, earlierRedirectUri } from '../client.js';
import { dpopSession } from '../dpop.js';
import { LoginError } from '../errors.js';
import { explain, shortened } from '../failures.js';
import type { LoginTarget } from '../target.js';
import { clientAuthentication } from '../token-request.js';
import type { StoredLogin } from '../vault/stored-login.js';
import { LoopbackReceiver } from './loopback.js';
import { completeLogin, type LogInOptions, type LoginPlan, storeLogin } from './plan.js';
import { checkPage, checkServiceOfPage } from './web-address.js';

/** A port that needs no listener: with `paste`, the person copies the address of the page that cannot be shown. */
const PASTE_PORT = 33_418;

/** The authorization code flow with PKCE. The redirect comes to a local port, or is pasted by the person. */
export async function logInWithCode(
  target: LoginTarget,
  plan: LoginPlan,
  options: LogInOptions & { readonly way: 'browser' | 'paste' },
): Promise<StoredLogin> {
  const { settings, server } = target;
  const { way, onUrl, readRedirect, signal } = options;
  if (way === 'browser') {
    const earlier = await earlierRedirectUri(target, plan.discovery.issuer);
    const port = settings.redirect_port ?? Number(earlier === undefined ? 0 : new URL(earlier).port);
    const receiver = await LoopbackReceiver.open(port, settings.redirect_port !== undefined).catch((error: unknown) => {
      throw explain(error, { server, what: `listening on port ${port} for the redirect` });
    });
    try {
      const { url, state, finish } = await begin(target, plan, receiver.redirectUri);
      const received = receiver.receive(state, finish, signal);
      await Promise.race([received, onUrl({ url: url.href, code: null })]);
      return await received;
    } finally {
      receiver.close();
    }
  }
  const { url, finish } = await begin(
    target,
    plan,
    `http://127.0.0.1:${settings.redirect_port ?? PASTE_PORT}/callback`,
  );
  await onUrl({ url: url.href, code: null });
  if (!readRedirect) throw new LoginError('not-offered', server, 'this program cannot ask for the redirected URL');
  return finish(redirectParams(await readRedirect(), server));
}

function redirectParams(pasted: string, server: string): URLSearchParams {
  const text = pasted.trim();
  if (URL.canParse(text)) return new URL(text).searchParams;
  throw new LoginError(
    'refused',
    server,
    'this is not a URL: paste the whole address that the browser shows at the end',
  );
}

interface Attempt {
  readonly url: URL;
  readonly state: string;
  /** Checks the redirect and redeems the code. */
  finish(params: URLSearchParams): Promise<StoredLogin>;
}

async function begin(target: LoginTarget, plan: LoginPlan, redirectUri: string): Promise<Attempt> {
  const { server, http, settings } = target;
  const { discovery, scope, dpop_key } = plan;
  const { authorization_server, metadata, resource } = discovery;
  const known = await clientFor(target, discovery, { redirect_uri: redirectUri, grant: 'authorization_code', scope });
  const state = randomBytes(32).toString('base64url');
  const { authorizationUrl, codeVerifier } = await startAuthorization(authorization_server, {
    ...(metadata && { metadata }),
    clientInformation: known.client,
    redirectUrl: redirectUri,
    ...(scope !== undefined && { scope }),
    state,
    resource,
  }).catch((error: unknown) => {
    throw explain(error, { server, what: 'starting the login' });
  });
  await checkPage(target, authorizationUrl);
  checkServiceOfPage(target, authorizationUrl, discovery.issuer);
  const finish = async (params: URLSearchParams): Promise<StoredLogin> => {
    checkRedirect(target, plan, state, params);
    const code = params.get('code') ?? '';
    const authentication = clientAuthentication(settings, known.client.client_id);
    const iss = params.get('iss');
    try {
      const tokens = await exchangeAuthorization(authorization_server, {
        ...(metadata && { metadata }),
        clientInformation: known.client,
        authorizationCode: code,
        ...(iss !== null && { iss }),
        codeVerifier,
        redirectUri,
        resource,
        fetchFn: http.fetch,
        ...(authentication && { addClientAuthentication: authentication }),
        ...(dpop_key && { dpop: await dpopSession(dpop_key) }),
      });
      return await storeLogin(target, completeLogin(target, plan, known, tokens));
    } catch (error) {
      const secrets = [code, codeVerifier, known.client.client_secret];
      throw explain(error, { server, what: 'redeeming the authorization code', secrets });
    }
  };
  return { url: authorizationUrl, state, finish };
}

/** The issuer is checked before anything else in the redirect is used, also before an error is shown (RFC 9207). */
function checkRedirect(
  { server }: LoginTarget,
  { discovery: { metadata } }: LoginPlan,
  state: string,
  params: URLSearchParams,
): void {
  if (!isEqual(params.get('state') ?? '', state)) {
    throw new LoginError('refused', server, 'this redirect does not belong to the present login: start it again');
  }
  try {
    validateAuthorizationResponseIssuer({
      iss: params.get('iss') ?? undefined,
      expectedIssuer: metadata?.issuer,
      issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
    });
  } catch (error) {
    throw explain(error, { server, what: 'checking the issuer of the redirect' });
  }
  const error = params.get('error');
  if (error !== null) {
    const text = [error, params.get('error_description')].filter(Boolean).join(': ');
    throw new LoginError('failed', server, `the authorization server refused the login: ${shortened(text)}`);
  }
  if (params.get('code') === null)
    throw new LoginError('refused', server, 'the redirect contains no authorization code');
}

function isEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
