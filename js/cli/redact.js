'use strict';
// Takes secrets of connection strings out of text.

const HIDDEN = '***';
const URI = /^mongodb(?:\+srv)?:\/\//;
// Up to the last "@": a password may have any character that somebody forgot to encode.
const USERINFO = /(mongodb(?:\+srv)?:\/\/)\S*@/g;
const SECRET_PARAMETER = /([?&;,=][^=&]*(?:password|username|token|secret)[^=&:]*[=:])([^&,]*)/gi;
const SHORTEST = 3; // shorter ones are in every text

/**
 * @param {(string | undefined)[]} texts that may be, or contain, connection strings
 * @returns {(text: string) => string}
 */
function redactor(texts) {
  const secrets = new Set();
  for (const text of texts) {
    const uri = text?.slice(text.search(/mongodb(?:\+srv)?:\/\//));
    if (uri !== undefined && URI.test(uri)) for (const secret of secretsOf(uri)) secrets.add(secret);
  }
  const known = [...secrets].filter((secret) => secret.length >= SHORTEST).sort((a, b) => b.length - a.length);
  return (text) => {
    let shown = text.replace(USERINFO, `$1${HIDDEN}@`).replace(SECRET_PARAMETER, `$1${HIDDEN}`);
    for (const secret of known) shown = shown.replaceAll(secret, HIDDEN);
    return shown;
  };
}

function* secretsOf(uri) {
  const rest = uri.replace(URI, '');
  const at = rest.lastIndexOf('@');
  const colon = rest.indexOf(':');
  if (at !== -1 && colon !== -1 && colon < at) yield* forms(rest.slice(colon + 1, at));
  for (const [, , value] of uri.matchAll(SECRET_PARAMETER)) yield* forms(value);
}

function* forms(secret) {
  yield secret;
  try {
    yield decodeURIComponent(secret);
  } catch {
    // As it is then.
  }
}

module.exports = { redactor };
