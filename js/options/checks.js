'use strict';
// Client options that do not go together, with the official driver's messages. What each of them holds is checked already.

const { parseError, invalidArgument, apiError, errors } = require('../errors.js');

const OIDC_ENVIRONMENTS = ['test', 'azure', 'gcp', 'k8s'];
const NAMED_USER = new Set(['GSSAPI', 'PLAIN', 'SCRAM-SHA-1', 'SCRAM-SHA-256']);

function checkTls(values, settled) {
  const both = (a, b) => {
    if (settled[a] !== undefined && settled[b] !== undefined) {
      throw apiError(`The '${a}' option cannot be used with the '${b}' option`);
    }
  };
  both('tlsInsecure', 'tlsAllowInvalidCertificates');
  both('tlsInsecure', 'tlsAllowInvalidHostnames');
  const said = ['tls', 'ssl'].flatMap((key) => values.get(key)?.all ?? []).map(String);
  if (new Set(said).size > 1) throw parseError('All values of tls/ssl must be the same.');
}

function checkTopology(address, settled) {
  if (settled.loadBalanced) {
    if (address.hosts.length > 1) throw parseError('loadBalanced option only supported with a single host in the URI');
    if (settled.replicaSet) throw parseError('loadBalanced option not supported with a replicaSet option');
    if (settled.directConnection) throw parseError('loadBalanced option not supported when directConnection is provided');
    if (address.srv && settled.srvMaxHosts > 0) throw parseError('Cannot limit srv hosts with loadBalanced enabled');
  }
  if (address.srv) {
    if (settled.directConnection) throw apiError('SRV URI does not support directConnection');
    if (settled.srvMaxHosts > 0 && settled.replicaSet !== undefined) throw parseError('Cannot use srvMaxHosts option with replicaSet');
    return;
  }
  const srvOnly = ['srvMaxHosts', 'srvServiceName'].filter((name) => settled[name] !== undefined);
  if (srvOnly.length > 0) throw parseError(`Cannot use ${srvOnly.join(', ')} with a non-srv connection string`);
  if (settled.directConnection && address.hosts.length !== 1) throw parseError('directConnection option requires exactly one host');
}

function checkProxy({ proxyHost, proxyPort, proxyUsername, proxyPassword }) {
  if (!proxyHost && (proxyPort || proxyUsername || proxyPassword)) throw parseError('Must specify proxyHost if other proxy options are passed');
  if (Boolean(proxyUsername) !== Boolean(proxyPassword)) throw parseError('Can only specify both of proxy username/password or neither');
}

function checkCredentials(address, settled) {
  const mechanism = settled.authMechanism;
  const user = settled.auth?.username ?? address.username ?? '';
  if (NAMED_USER.has(mechanism) && user === '') {
    throw new (errors().MongoMissingCredentialsError)(`Username required for mechanism '${mechanism}'`);
  }
  const secret = settled.auth?.password ?? address.password ?? '';
  if (mechanism === 'MONGODB-X509' && secret !== '') throw apiError('Password not allowed for mechanism MONGODB-X509');
  if (mechanism === 'MONGODB-AWS' && (user !== '' || secret !== '')) {
    throw apiError('username and password cannot be provided when using MONGODB-AWS. Credentials must be provided in the environment');
  }
  checkMechanismProperties(mechanism, user, settled.authMechanismProperties ?? {});
  if ((mechanism === 'GSSAPI' || mechanism === 'MONGODB-X509') && settled.authSource !== undefined && settled.authSource !== '$external') {
    throw parseError(`authMechanism ${mechanism} requires an authSource of '$external'`);
  }
}

function checkMechanismProperties(mechanism, user, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value !== 'function') continue;
    throw invalidArgument(`authMechanismProperties.${name} is a function, but the core authenticates: use an ENVIRONMENT, or the official mongodb driver`);
  }
  if (mechanism !== 'MONGODB-OIDC') return;
  const { ENVIRONMENT: environment } = properties;
  if (!environment) {
    throw invalidArgument("Either a ENVIRONMENT, OIDC_CALLBACK, or OIDC_HUMAN_CALLBACK must be specified for mechanism 'MONGODB-OIDC'. The callbacks need the official mongodb driver");
  }
  if (user !== '' && environment !== 'azure') {
    throw invalidArgument(`username and ENVIRONMENT '${environment}' may not be used together for mechanism 'MONGODB-OIDC'.`);
  }
  if ((environment === 'azure' || environment === 'gcp') && !properties.TOKEN_RESOURCE) {
    throw invalidArgument('TOKEN_RESOURCE must be set in the auth mechanism properties when ENVIRONMENT is azure or gcp.');
  }
  if (!OIDC_ENVIRONMENTS.includes(environment)) {
    throw invalidArgument(`Currently only a ENVIRONMENT in ${OIDC_ENVIRONMENTS} is supported for mechanism 'MONGODB-OIDC'.`);
  }
}

module.exports = { checkTls, checkTopology, checkProxy, checkCredentials };
