import type { Ledger } from './requirement.js';

export const login = {
  document: 'docs/login.md',
  requirements: {
    'LOGIN-STATE-01': {
      section: 'States',
      behaviour:
        'A server that answers 401, or has no login, needs a login: its state and its errors name the command.',
      owedBy: ['hub'],
    },
    'LOGIN-STATE-02': {
      section: 'States',
      behaviour: 'A server that needs a login is not retried; after a login it connects by itself, in every process.',
      owedBy: ['hub'],
    },
    'LOGIN-FLOW-01': {
      section: 'Ways to log in',
      behaviour:
        'Browser: the redirect comes to a local port, is bound to the login by state, issuer and PKCE, and ends with a page.',
      owedBy: ['hub'],
    },
    'LOGIN-FLOW-02': {
      section: 'Ways to log in',
      behaviour: 'Paste: the redirected URL is pasted back; no local port is needed.',
      owedBy: ['hub'],
    },
    'LOGIN-FLOW-03': {
      section: 'Ways to log in',
      behaviour: 'Device: the person opens a page on any device (RFC 8628).',
      owedBy: ['hub'],
    },
    'LOGIN-FLOW-04': {
      section: 'Without a person',
      behaviour: 'Client credentials with a secret or a private key need no login; processes share the token.',
      owedBy: ['hub'],
    },
    'LOGIN-FLOW-05': {
      section: 'The client',
      behaviour: 'The client is the configured one, else a metadata document, else registered dynamically once.',
      owedBy: ['hub'],
    },
    'LOGIN-FLOW-06': {
      section: 'Accounts',
      behaviour: 'A server has several logins by account; the configuration chooses one.',
      owedBy: ['hub'],
    },
    'LOGIN-FLOW-07': {
      section: 'Ways to log in',
      behaviour:
        'The local port of a login answers every request of a stranger, also without a valid target, and goes on waiting. A browser that disconnects early does not stop the login.',
      owedBy: ['hub'],
    },
    'LOGIN-REFRESH-01': {
      section: 'Refresh',
      behaviour:
        'Of all processes exactly one redeems a refresh token, ahead of its expiry; the others take the new token.',
      owedBy: ['hub'],
    },
    'LOGIN-REFRESH-02': {
      section: 'Refresh',
      behaviour: 'A process that is killed during a refresh costs neither the login nor a second redemption.',
      owedBy: ['hub'],
    },
    'LOGIN-REFRESH-03': {
      section: 'Refresh',
      behaviour:
        'invalid_grant ends a login only if the vault still has the redeemed token; the server then needs a login.',
      owedBy: ['hub'],
    },
    'LOGIN-STEP-01': {
      section: 'More scopes',
      behaviour: '403 insufficient_scope asks once for the union of scopes; the other tools keep working.',
      owedBy: ['hub'],
    },
    'LOGIN-CHECK-01': {
      section: 'What is refused',
      behaviour: 'Another issuer, resource or audience than expected is refused with the reason.',
      owedBy: ['hub'],
    },
    'LOGIN-CHECK-02': {
      section: 'What is refused',
      behaviour: 'URLs that a server names pass the trust policy: a public server cannot name a private address.',
      owedBy: ['hub'],
    },
    'LOGIN-CHECK-03': {
      section: 'What is refused',
      behaviour:
        'A configured client secret or assertion is sent only to the configured issuer, or to an authorization server with the origin of the MCP server; the error names the issuer to configure.',
      owedBy: ['hub'],
    },
    'LOGIN-CHECK-04': {
      section: 'What is refused',
      behaviour:
        'An address that a server names for the login is neither shown nor opened nor requested if it has a user name or is not HTTP.',
      owedBy: ['login'],
    },
    'LOGIN-CHECK-05': {
      section: 'What is refused',
      behaviour:
        'Texts of servers in the errors of a login stay on one line, with hidden characters shown, and are short.',
      owedBy: ['login'],
    },
    'LOGIN-CHECK-07': {
      section: 'What is refused',
      behaviour:
        'Client secrets and tokens of less than 4 characters, which an authorization server can choose, are not replaced in messages.',
      owedBy: ['login'],
    },
    'LOGIN-CHECK-08': {
      section: 'What is refused',
      behaviour:
        'A token with characters that OAuth does not allow is refused at login and at refresh, and not sent if it was stored earlier; the error is one line without the token.',
      owedBy: ['login'],
    },
    'LOGIN-CHECK-09': {
      section: 'What is refused',
      behaviour:
        'A login page passes the trust policy like a request: an address that is nearer than the configured one is neither shown nor opened.',
      owedBy: ['hub'],
    },
    'LOGIN-CHECK-10': {
      section: 'What is refused',
      behaviour:
        'A login page that is neither on the host of the issuer nor on a subdomain or parent domain of it is not shown, unless `oauth.issuer` or --issuer names the issuer; the error names both hosts.',
      owedBy: ['login', 'cli'],
    },
    'LOGIN-CHECK-30': {
      section: 'What is refused',
      behaviour:
        'The same applies to both pages of the device flow, `verification_uri` and `verification_uri_complete`: if one belongs to another service, neither a page nor the code is shown.',
      owedBy: ['login'],
    },
    'LOGIN-CHECK-06': {
      section: 'What is refused',
      behaviour:
        'A login is sent to the origin of the server only, not to that of `sse_url`, and is not used for a configuration that is not trusted.',
      owedBy: ['hub'],
    },
    'LOGIN-VAULT-01': {
      section: 'Where logins are stored',
      behaviour:
        'Records have mode 0600 in a folder of mode 0700, are replaced atomically, and are keyed by issuer, resource, client and account.',
      owedBy: ['login'],
    },
    'LOGIN-VAULT-02': {
      section: 'Where logins are stored',
      behaviour: 'The lock between processes has one holder at a time and ends with its holder.',
      owedBy: ['login'],
    },
    'LOGIN-VAULT-03': {
      section: 'Where logins are stored',
      behaviour:
        'Where the operating system has a keychain, it holds the secrets of a login, and all processes use it.',
      owedBy: ['login'],
    },
    'LOGIN-CMD-01': {
      section: 'Ways to log in',
      behaviour:
        'a2c login, logout and login --list work at the command line and in the shell; other commands name the login to type.',
      owedBy: ['cli'],
    },
    'LOGIN-CMD-02': {
      section: 'Where logins are stored',
      behaviour: 'No token, code or secret appears in any output, or in any file except the vault.',
      owedBy: ['cli'],
    },
    'LOGIN-CMD-03': {
      section: 'Ways to log in',
      behaviour: 'The program passes all client scenarios auth/* of the conformance suite of MCP.',
      owedBy: ['cli'],
    },
    'LOGIN-CMD-04': {
      section: 'Ways to log in',
      behaviour: 'In a real browser, one click logs in, and the page says that it worked.',
      owedBy: ['cli'],
    },
    'LOGIN-AFAR-01': {
      section: 'From an MCP client',
      behaviour:
        'Through the proxy, a client that supports URL elicitation is sent the login address, and the call goes on after the login.',
      owedBy: ['proxy'],
    },
    'LOGIN-NET-01': {
      section: 'Proxies and certificates',
      behaviour:
        'HTTP_PROXY, HTTPS_PROXY and NO_PROXY apply to MCP servers and logins; an approved address is the one that the proxy connects to.',
      owedBy: ['hub'],
    },
    'LOGIN-NET-02': {
      section: 'Proxies and certificates',
      behaviour:
        'A certificate authority in NODE_EXTRA_CA_CERTS is trusted, also through a proxy and for token requests.',
      owedBy: ['hub'],
    },
    'LOGIN-NET-03': {
      section: 'Proxies and certificates',
      behaviour:
        'The proxy variables and NODE_EXTRA_CA_CERTS apply also to the connections of Agents, Computers and doctor to the Server.',
      owedBy: ['cli'],
    },
    'LOGIN-CONFIG-01': {
      section: 'Configuration',
      behaviour: '`oauth` is read in our own formats and in the spellings of other tools, and written back by convert.',
      owedBy: ['config'],
    },
    'LOGIN-CONFIG-02': {
      section: 'Configuration',
      behaviour:
        'The secrets in `oauth` are filled in from inputs, masked where they are shown, and replaced by inputs on import.',
      owedBy: ['config'],
    },
  },
} as const satisfies Ledger;
