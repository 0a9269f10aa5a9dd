'use strict';
// What the connection string says, as it was understood.

const { parseClientOptions } = require('../../options/client-options.js');

const SECTION = 'Options';
const SECRET = /password|passphrase|username/i;
const CREDENTIALS = new Set(['auth', 'driverInfo']);
// Whose values may be tokens.
const NAMES_ONLY = new Set(['authMechanismProperties']);

/** @returns the settings of a client, undefined when the connection string is refused */
async function checkOptions(checkup, uri, hider) {
  const settings = await checkup.step(SECTION, 'connection string', async () => {
    const parsed = parseClientOptions(uri);
    const { hosts, srvHost } = parsed.official;
    hider.host(srvHost);
    for (const { host } of hosts) hider.host(host);
    hider.host(parsed.core.proxyHost);
    hider.host(parsed.core.servername);
    hider.host(parsed.core.replicaSet); // Atlas names it like its hosts
    return { value: uri, result: parsed };
  });
  if (settings === undefined) return undefined;
  const shown = Object.entries(settings.core).filter(([name]) => !CREDENTIALS.has(name)).map(([name, value]) => `${name}=${shownValue(name, value)}`);
  checkup.note(SECTION, 'options', [`database=${settings.dbName}`, `readPreference=${settings.readPreference.mode}`, ...shown].join('\n'));
  return settings;
}

function shownValue(name, value) {
  if (SECRET.test(name)) return '***';
  if (NAMES_ONLY.has(name)) return Object.keys(value).map((key) => `${key}:***`).join(',');
  return typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value);
}

module.exports = { checkOptions };
