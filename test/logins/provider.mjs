// provider.mjs REDIRECT ALGORITHM: an OpenID Connect provider on a port of its own, whose only client
// is the server. Prints its issuer; on SIGUSR2 it rotates its keys and says so.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [redirect, algorithm] = process.argv.slice(2);
const installed = createRequire(pathToFileURL(`${process.env.NODE_MODULES}/`));
const { default: Provider } = await import(pathToFileURL(installed.resolve('oidc-provider')));

const kinds = [
  ['rsa', { modulusLength: 2048 }, 'RS256'],
  ['ec', { namedCurve: 'P-256' }, 'ES256'],
  ['ed25519', {}, 'EdDSA'],
];
const keys = () => kinds.map(([kind, options, alg]) => ({
  ...generateKeyPairSync(kind, options).privateKey.export({ format: 'jwk' }),
  kid: randomUUID(), use: 'sig', alg,
}));

let answer;
const server = createServer((request, response) => answer(request, response));
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const start = () => {
    answer = new Provider(issuer, {
      clients: [{
        client_id: 'agents', client_secret: 'hush', redirect_uris: [redirect],
        id_token_signed_response_alg: algorithm, token_endpoint_auth_method: 'client_secret_post',
      }],
      jwks: { keys: keys() },
      cookies: { keys: [randomUUID()] },
      claims: { openid: ['sub', 'roles'] },
      conformIdTokenClaims: false,
      enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256', 'EdDSA'] },
      pkce: { required: () => true },
      findAccount: (_context, id) => ({
        accountId: id, claims: () => ({ sub: id, roles: id === 'ada' ? ['dev'] : ['guest'] }),
      }),
    }).callback();
  };
  start();
  console.log(issuer);
  process.on('SIGUSR2', () => { start(); console.log('rotated'); });
});
