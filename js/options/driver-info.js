'use strict';
// What a wrapper of this driver is called, for the server's log.

const { invalidArgument } = require('../errors.js');

const FIELDS = ['name', 'version', 'platform'];

function checkedDriverInfo(info) {
  if (info === null || typeof info !== 'object' || FIELDS.some((field) => info[field] != null && typeof info[field] !== 'string')) {
    throw invalidArgument('Argument "driverInfo" must be an object { name, version, platform } of strings');
  }
  return Object.fromEntries(FIELDS.map((field) => [field, info[field] ?? '']));
}

/** Several as one, each of them once, in the form the servers know: `a|b`. undefined when there is none. */
function joinDriverInfo(list) {
  const given = list.filter((info) => info != null).map((info) => FIELDS.map((field) => info[field] ?? ''));
  const once = given.filter((info, i) => given.findIndex((other) => other.join('\0') === info.join('\0')) === i);
  if (once.length === 0) return undefined;
  return Object.fromEntries(FIELDS.map((field, i) => [field, once.map((info) => info[i]).filter((text) => text !== '').join('|')]));
}

module.exports = { checkedDriverInfo, joinDriverInfo };
