'use strict';
// Takes out of a report what nobody else should read, whatever it came in with.

const os = require('node:os');

const ADDRESS = /\b\d{1,3}(?:\.\d{1,3}){3}\b|\b(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}\b/gi;
const HOST_AND_PORT = /\b[\w-]+(?:\.[\w-]+)*:\d{2,5}\b/g;
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

class Hider {
  #redact;
  #hosts; // whether they are hidden
  #names = new Map(); // of hosts, in lower case: what stands for them
  #user;
  #home = os.homedir();

  /**
   * @param {(text: string) => string} redact takes out the secrets of connection strings
   * @param {{ uri?: string, hosts: boolean }} options
   */
  constructor(redact, { uri, hosts }) {
    this.#redact = redact;
    this.#hosts = hosts;
    this.#user = userOf(uri);
  }

  /** From here on a name of a server is hidden, too. */
  host(name) {
    if (this.#hosts && typeof name === 'string' && name !== '' && !this.#names.has(name.toLowerCase())) {
      this.#names.set(name.toLowerCase(), `host${this.#names.size + 1}`);
    }
  }

  /** Text of somebody else, an error's: nobody knows what it repeats. */
  foreign(text) {
    let shown = this.#user === null ? text : text.replace(this.#user, '***');
    // The names that are known keep their numbers.
    if (this.#hosts) shown = this.#withoutHosts(shown).replace(ADDRESS, 'address').replace(HOST_AND_PORT, (found) => (/^host\d+:/.test(found) ? found : 'host:port'));
    return shown;
  }

  clean(text) {
    const shown = this.#withoutHosts(this.#redact(text));
    return this.#home.length > 1 ? shown.replaceAll(this.#home, '~') : shown;
  }

  #withoutHosts(text) {
    let shown = text;
    for (const name of [...this.#names.keys()].sort((a, b) => b.length - a.length)) {
      shown = shown.replace(new RegExp(`(?<![\\w-])${escaped(name)}(?![\\w-])`, 'gi'), this.#names.get(name));
    }
    return shown;
  }
}

/** The user name, as itself and as it is written in the connection string; null when there is none. */
function userOf(uri) {
  const encoded = /^[^/]*\/\/([^:@/]+)(?::[^@]*)?@/.exec(uri ?? '')?.[1];
  if (encoded === undefined) return null;
  const forms = new Set([encoded]);
  try {
    forms.add(decodeURIComponent(encoded));
  } catch {
    // As it is then.
  }
  return new RegExp(`(?<!\\w)(?:${[...forms].map(escaped).join('|')})(?!\\w)`, 'g');
}

module.exports = { Hider };
