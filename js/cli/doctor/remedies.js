'use strict';
// What to do about a failed check: one sentence for each cause that can be told from its error.

const SILENT = 'Something drops what is sent: look at firewalls, security groups and, with Atlas, the IP access list; --timeout gives it longer.';
const NAME = 'Correct the host name in the connection string, or look at this machine\'s DNS (/etc/resolv.conf) and VPN.';

const BY_CODE = {
  ECONNREFUSED: 'Nothing listens there: start the server, or correct host and port.',
  ECONNRESET: 'The other side hung up: look whether the port is that of a MongoDB server, and whether it wants TLS (tls=true).',
  EHOSTUNREACH: 'There is no route there from this machine: look at network, VPN and container settings.',
  ENETUNREACH: 'There is no route there from this machine: look at network, VPN and container settings.',
  ENOTFOUND: NAME,
  EAI_AGAIN: NAME,
  ENODATA: NAME,
  ESERVFAIL: NAME,
  EMFILE: 'This process may open no more files: raise the limit (ulimit -n).',
  ENOENT: 'Correct the path: the file is not there.',
  EACCES: 'Give this user the right to read the file.',
  EPROTO: 'The other side does not speak TLS here, or another version of it: leave tls=true away, or correct the port.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'The other side does not speak TLS here: leave tls=true away, or correct the port.',
  ERR_RUMONGO_BINDING: 'Do what the message says; docs/troubleshooting.md has the causes.',
  ERR_RUMONGO_BINDING_MISMATCH: 'Do what the message says; docs/troubleshooting.md has the causes.',
};

const AUTHENTICATION = 'Check the user name, the password (percent-encoded in a connection string), authSource (the database the user was created in) and authMechanism.';

// Of errors of drivers, by what they say.
const BY_MESSAGE = [
  [/certificate signed by unknown authority|self.signed certificate|unable to (verify|get)/i, 'Name the authority that signed the server\'s certificate: tlsCAFile, or the environment variable NODE_EXTRA_CA_CERTS.'],
  [/certificate is valid for|doesn't contain any IP SANs|altname|certificate is not valid for/i, 'Connect by a name that is in the certificate, or have a certificate made that has this one.'],
  [/certificate (has expired|is not yet valid)|expired or is not yet valid/i, 'Renew the server\'s certificate, and look at this machine\'s clock.'],
  [/bad certificate|certificate required|handshake failure|unknown ca/i, 'The server wants a client certificate that it knows: tlsCertificateKeyFile.'],
  [/first record does not look like a TLS handshake/i, 'The other side does not speak TLS here: leave tls=true away, or correct the port.'],
  [/no such host|ENOTFOUND|EAI_AGAIN|server misbehaving/i, NAME],
  [/no such file or directory|ENOENT/i, BY_CODE.ENOENT],
  [/connection refused|ECONNREFUSED/i, BY_CODE.ECONNREFUSED],
  [/wire version/i, 'The server is older or newer than this version knows: update one of them.'],
  [/EOF|reset by peer|closed/i, BY_CODE.ECONNRESET],
  [/replica set name|replicaSet/i, 'Correct replicaSet in the connection string, or leave it away.'],
  [/ReplicaSetNoPrimary|RSSecondary/i, 'The set has no primary just now: look at its members, or read with readPreference=secondaryPreferred.'],
  [/Authentication|auth error|bad auth/i, AUTHENTICATION],
];

const BY_SECTION = {
  DNS: NAME,
  TCP: SILENT,
  TLS: 'Look at the server\'s certificate, at tlsCAFile and tlsCertificateKeyFile.',
  Options: 'Correct the connection string as the message says; docs/api.md has the options.',
  'Official driver': 'What is said of the server, above, says more.',
  'This machine': 'Do what the message says; docs/troubleshooting.md has the causes.',
};
const SILENT_SERVER = 'The port accepts connections and does not answer as a MongoDB server does: correct the port, and look whether it wants TLS (tls=true) or is a proxy.';

/** @returns {string} one sentence */
function remedyFor(section, error) {
  if (error.code === 18) return AUTHENTICATION;
  if (error.code === 13) return 'The user, or nobody, may not do that: give credentials with the right to read, or --ns with a collection that may be read.';
  // Of a server the message has every address and its cause, and the codes are the server's.
  const known = typeof error.code === 'string' ? BY_CODE[error.code] : undefined;
  const said = BY_MESSAGE.find(([pattern]) => pattern.test(`${error.code} ${error.message}`))?.[1];
  if (known ?? said) return known ?? said;
  if (BY_SECTION[section]) return BY_SECTION[section];
  return /ETIMEDOUT|server selection failed|timed out|timeout/i.test(`${error.code} ${error.message}`)
    ? SILENT_SERVER
    : 'Look the message up in docs/troubleshooting.md.';
}

module.exports = { remedyFor, SILENT_SERVER };
