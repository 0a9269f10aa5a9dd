'use strict';
// Makes the event objects from what the core tells: the official driver's classes by name and, where the application has
// that driver, by `instanceof`.

const { findPackage } = require('../user-package.js');
const { errorFromFault } = require('../errors.js');
const { ServerDescription, TopologyDescription } = require('./descriptions.js');
const { EVENTS, classNameOf } = require('./names.js');

const SENSITIVE = new Set(['authenticate', 'saslStart', 'saslContinue', 'getnonce', 'createUser', 'updateUser',
  'copydbgetnonce', 'copydbsaslstart', 'copydb']);
// Bodies up to this size are copied: an event that is kept must not keep what came along with it.
const COPIED = 64 << 10;
// The core tells documents of its own with numbers where the official driver has numbers.
const AS_TOLD = { promoteLongs: true, promoteValues: true };

let classes = null;

/** Classes by event. Found when the first event comes, which may load the application's driver. */
function eventClasses() {
  if (classes !== null) return classes;
  let official = {};
  try {
    official = findPackage('mongodb') ?? {};
  } catch {
    // A driver that does not load: the names remain.
  }
  classes = EVENTS.map((event) => {
    const name = classNameOf(event);
    const { [name]: Event } = { [name]: class {} };
    if (typeof official[name] === 'function') Object.setPrototypeOf(Event.prototype, official[name].prototype);
    else if (event.startsWith('command')) Object.defineProperty(Event.prototype, 'hasServiceId', { get: hasServiceId });
    // Shows what is not decoded yet as what it will be.
    Object.defineProperty(Event.prototype, Symbol.for('nodejs.util.inspect.custom'), {
      value(depth, options, inspect) {
        return `${name} ${inspect({ ...this }, options)}`;
      },
    });
    return Event;
  });
  return classes;
}

function hasServiceId() {
  return Boolean(this.serviceId);
}

/**
 * @param {number} kind index in EVENTS
 * @param {Uint8Array} info BSON, valid during the call
 * @param {Uint8Array} body BSON, the same
 * @param {{ bsonClasses: object, bsonOptions: object }} client the client
 * @param {object} [readOptions] BSON options of the read the event is about
 */
function makeEvent(kind, info, body, { bsonClasses, bsonOptions }, readOptions = bsonOptions) {
  const name = EVENTS[kind];
  const told = bsonClasses.BSON.deserialize(info, AS_TOLD);
  const event = new (eventClasses()[kind])();
  if (name.startsWith('command')) return commandEvent(event, name, told, body, bsonClasses, readOptions);
  if (name.startsWith('connection')) return poolEvent(event, name, told, bsonClasses);
  return serverEvent(event, name, told, bsonClasses);
}

// ---- commands

function commandEvent(event, name, told, body, bsonClasses, bsonOptions) {
  const { commandName } = told;
  event.name = name;
  if (name === 'commandStarted' && SENSITIVE.has(commandName)) event.commandObj = { [commandName]: true };
  event.address = told.address;
  event.connectionId = told.connectionId;
  event.serviceId = told.serviceId;
  event.requestId = told.requestId;
  if (name === 'commandStarted') event.databaseName = told.databaseName;
  event.commandName = commandName;
  if (name !== 'commandStarted') event.duration = told.duration;
  const redacted = body.byteLength === 0; // by the core
  if (name === 'commandFailed') {
    event.failure = SENSITIVE.has(commandName) ? {} : errorFromFault(body, bsonClasses, bsonOptions);
  } else if (redacted) {
    event[name === 'commandStarted' ? 'command' : 'reply'] = {};
  } else {
    const bytes = body.byteLength <= COPIED ? body.slice() : body;
    if (name === 'commandStarted') delay(event, 'command', () => commandOf(bytes, bsonClasses));
    else delay(event, 'reply', () => replyOf(bytes, bsonClasses, bsonOptions));
  }
  event.serverConnectionId = told.serverConnectionId === undefined ? null : BigInt(told.serverConnectionId);
  if (name !== 'commandStarted') event.databaseName = told.databaseName;
  return event;
}

/** An own property that is decoded when it is first read: most listeners read only names and times. */
function delay(event, name, decode) {
  const settle = (value) => {
    Object.defineProperty(event, name, { value, writable: true, enumerable: true, configurable: true });
    return value;
  };
  Object.defineProperty(event, name, { get: () => settle(decode()), set: settle, enumerable: true, configurable: true });
}

/** The command as the official driver has it before it is encoded, where the bytes still tell. */
function commandOf(bytes, { BSON, Binary }) {
  const command = BSON.deserialize(bytes, { promoteLongs: false });
  if (command.lsid?.id?.buffer) command.lsid.id = new Binary(command.lsid.id.buffer, Binary.SUBTYPE_UUID);
  return command;
}

function replyOf(bytes, { BSON }, { promoteLongs, promoteValues, promoteBuffers, useBigInt64, bsonRegExp, raw }) {
  const options = { promoteLongs, promoteValues, promoteBuffers, useBigInt64, bsonRegExp };
  if (raw) options.fieldsAsRaw = { firstBatch: true, nextBatch: true };
  return BSON.deserialize(bytes, options);
}

// ---- connections

function poolEvent(event, name, told, bsonClasses) {
  event.time = told.time;
  event.address = told.address;
  event.name = name;
  switch (name) {
    case 'connectionPoolCreated':
      event.options = told.options;
      break;
    case 'connectionPoolCleared':
      event.serviceId = told.serviceId;
      event.interruptInUseConnections = told.interruptInUseConnections;
      break;
    case 'connectionCreated':
    case 'connectionCheckedIn':
      event.connectionId = told.connectionId;
      break;
    case 'connectionReady':
    case 'connectionCheckedOut':
      event.durationMS = told.durationMS;
      event.connectionId = told.connectionId;
      break;
    case 'connectionClosed':
      event.connectionId = told.connectionId;
      event.reason = told.reason;
      event.serviceId = told.serviceId;
      event.error = errorOf(told.error, bsonClasses) ?? null;
      break;
    case 'connectionCheckOutFailed':
      event.durationMS = told.durationMS;
      event.reason = told.reason;
      event.error = errorOf(told.error, bsonClasses);
      break;
    default:
  }
  return event;
}

function errorOf(fault, bsonClasses) {
  return fault === undefined ? undefined : errorFromFault(bsonClasses.BSON.serialize(fault), bsonClasses);
}

// ---- servers

function serverEvent(event, name, told, bsonClasses) {
  event.name = name;
  if (name.startsWith('serverHeartbeat')) {
    event.connectionId = told.connectionId;
    if (told.duration !== undefined) event.duration = told.duration;
    if (told.reply !== undefined) event.reply = told.reply;
    if (told.failure !== undefined) event.failure = errorOf(told.failure, bsonClasses);
    event.awaited = told.awaited;
    return event;
  }
  event.topologyId = told.topologyId;
  if (told.address !== undefined) event.address = told.address;
  if (told.newDescription !== undefined) {
    const describe = name === 'serverDescriptionChanged' ? serverDescription : topologyDescription;
    event.previousDescription = describe(told.previousDescription, bsonClasses);
    event.newDescription = describe(told.newDescription, bsonClasses);
  }
  return event;
}

function serverDescription(told, bsonClasses) {
  return new ServerDescription(told, errorOf(told.error, bsonClasses) ?? null);
}

function topologyDescription(told, bsonClasses) {
  const servers = told.servers.map((server) => serverDescription(server, bsonClasses));
  return new TopologyDescription(told, servers, (value) => bsonClasses.BSON.EJSON.serialize(value));
}

module.exports = { makeEvent };
