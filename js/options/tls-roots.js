'use strict';
// The authorities that Node.js trusts: those it brings along and those of NODE_EXTRA_CA_CERTS. Go would trust the
// system's, and a deployment that works with the official driver would not with this one.

const fs = require('node:fs');
const tls = require('node:tls');

let roots; // PEM text, or null: the system's

/** The core's options, with Node's authorities where the user names none and the server is to be verified. */
function withRoots(core) {
  const { ca, tlsCAFile, tlsInsecure, tlsAllowInvalidCertificates } = core;
  const wanted = core.tls ?? (core.cert !== undefined || core.tlsCertificateKeyFile !== undefined);
  if (!wanted || ca !== undefined || tlsCAFile !== undefined || tlsInsecure || tlsAllowInvalidCertificates) return core;
  roots ??= { pem: findRoots() };
  return roots.pem === null ? core : { ...core, ca: roots.pem };
}

function findRoots() {
  if (typeof tls.getCACertificates === 'function') return tls.getCACertificates('default').join('\n');
  if (/--use-(openssl|system)-ca\b/.test(`${process.env.NODE_OPTIONS ?? ''} ${process.execArgv.join(' ')}`)) return null;
  return [...tls.rootCertificates, ...extraRoots()].join('\n');
}

function extraRoots() {
  const file = process.env.NODE_EXTRA_CA_CERTS;
  if (!file) return [];
  try {
    return [fs.readFileSync(file, 'utf8')];
  } catch {
    return []; // Node has warned of it at its start, and goes on too
  }
}

module.exports = { withRoots };
