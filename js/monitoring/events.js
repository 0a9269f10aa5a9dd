'use strict';
// Makes the event objects from what the core tells: the official driver's classes by name and, where the application has
// that driver, by `instanceof`.

const { findPackage } = require('../user-package.js');
const { errorFromFault, familyOf } = require('../errors.js');
const { ServerDescription, TopologyDescription } = require('./descriptions.js');
const { EVENTS, classNameOf } = require('./names.js');

const SENSITIVE = new Set(['authenticate', 'saslStart', 'saslContinue', 'getnonce', 'createUser', 'updateUser',
  'copydbgetnonce', 'copydbsaslstart', 'copydb']);
// Bodies up to this size are copied: an event that is kept must not keep what came along with it.
const COPIED = 64 << 10;
// What the core tells in documents of its own: numbers where the official driver has numbers.
const AS_TOLD = { promoteLongs: true, promoteValues: true };
// Mirror of about() in core/driver/monitor_commands.go: four float64, an ObjectId, texts with zeros between them.
const COMMAND = Object.freeze({ NUMBERS: 4, SERVICE: 32, TEXTS: 44 });

const usual = {}; // stands for the application's driver
const families = new WeakMap(); // exports of a driver -> classes by kind

/**
 * Classes by kind. Made when the first event comes, which may load the application's driver.
 * @param [driver] the exports of the official driver they are of, if not the application's
 */
function eventClasses(driver = usual) {
  let classes = families.get(driver);
  if (classes === undefined) {
    classes = classesOf(driver === usual ? findDriver() : driver);
    families.set(driver, classes);
  }
  return classes;
}

function findDriver() {
  try {
    return findPackage('mongodb') ?? {};
  } catch {
    return {}; // a driver that does not load: the names remain
  }
}

const classesOf = (official) => EVENTS.map((event) => {
  const Event = eventClass(event, classNameOf(event));
  const Official = official[Event.name];
  if (typeof Official === 'function') {
    Object.setPrototypeOf(Event.prototype, Official.prototype);
    Event.prototype.constructor = Official;
  }
  return Event;
});

function eventClass(event, name) {
  if (event === 'commandStarted') return delayedClass(name, 'command', commandOf);
  if (event === 'commandSucceeded') return delayedClass(name, 'reply', replyOf);
  return { [name]: class {} }[name];
}

/**
 * A class with one own property that is decoded when it is first read: most listeners read only names and times. The
 * property is the same accessor on every event, so that V8 has one hidden class for them.
 */
function delayedClass(name, field, decode) {
  const holder = { [name]: class {
    #bytes = null;
    #bsonClasses = null;
    #bsonOptions = null;
    #value = undefined;

    static #accessor = {
      enumerable: true,
      configurable: true,
      get() {
        if (this.#bytes !== null) {
          this.#value = decode(this.#bytes, this.#bsonClasses, this.#bsonOptions);
          this.#bytes = null;
        }
        return this.#value;
      },
      set(value) {
        this.#value = value;
        this.#bytes = null;
      },
    };

    static delay(event, bytes, bsonClasses, bsonOptions) {
      event.#bytes = bytes;
      event.#bsonClasses = bsonClasses;
      event.#bsonOptions = bsonOptions;
      Object.defineProperty(event, field, this.#accessor);
    }
  } };
  const Event = holder[name];
  // Shows what is not decoded yet as what it will be.
  Object.defineProperty(Event.prototype, Symbol.for('nodejs.util.inspect.custom'), {
    value(depth, options, inspect) {
      return `${name} ${inspect({ ...this }, options)}`;
    },
  });
  return Event;
}

/**
 * @param {number} kind index in EVENTS
 * @param {Uint8Array} info what the core tells, valid during the call
 * @param {Uint8Array} body BSON: a command, a reply or a fault; the same
 * @param {{ bsonClasses: object, bsonOptions: object, driver?: object }} client driver: as for eventClasses()
 * @param {object} [readOptions] BSON options of the read the event is about
 */
function makeEvent(kind, info, body, { bsonClasses, bsonOptions, driver }, readOptions = bsonOptions) {
  const name = EVENTS[kind];
  const Event = eventClasses(driver)[kind];
  if (name.startsWith('command')) return commandEvent(Event, name, info, body, bsonClasses, readOptions, driver);
  const told = bsonClasses.BSON.deserialize(info, AS_TOLD);
  const event = new Event();
  return name.startsWith('connection') ? poolEvent(event, name, told, bsonClasses) : serverEvent(event, name, told, bsonClasses);
}

// ---- commands

function commandEvent(Event, name, info, body, bsonClasses, bsonOptions, driver) {
  const [connectionId, requestId, duration, serverConnectionId] = new Float64Array(info.buffer, info.byteOffset, COMMAND.NUMBERS);
  const texts = Buffer.from(info.buffer, info.byteOffset, info.byteLength);
  const [address, databaseName, commandName] = texts.toString('utf8', COMMAND.TEXTS).split('\0');
  const sensitive = SENSITIVE.has(commandName);
  const event = new Event();
  event.name = name;
  if (name === 'commandStarted' && sensitive) event.commandObj = { [commandName]: true };
  event.address = address;
  event.connectionId = connectionId;
  event.serviceId = serviceOf(texts, bsonClasses);
  event.requestId = requestId;
  if (name === 'commandStarted') {
    event.databaseName = databaseName;
    event.commandName = commandName;
    if (body.byteLength === 0) event.command = {}; // redacted by the core
    else Event.delay(event, copyOf(body), bsonClasses);
    event.serverConnectionId = idOf(serverConnectionId);
    return event;
  }
  event.commandName = commandName;
  event.duration = duration;
  if (name === 'commandFailed') event.failure = sensitive ? {} : errorFromFault(body, bsonClasses, bsonOptions, driver && familyOf(driver));
  else if (body.byteLength === 0) event.reply = {};
  else Event.delay(event, copyOf(body), bsonClasses, bsonOptions);
  event.serverConnectionId = idOf(serverConnectionId);
  event.databaseName = databaseName;
  return event;
}

const copyOf = (body) => (body.byteLength <= COPIED ? Buffer.from(body) : body);

const idOf = (number) => (Number.isNaN(number) ? null : BigInt(number));

function serviceOf(bytes, { ObjectId }) {
  for (let i = COMMAND.SERVICE; i < COMMAND.TEXTS; i++) {
    if (bytes[i] !== 0) return new ObjectId(Uint8Array.prototype.slice.call(bytes, COMMAND.SERVICE, COMMAND.TEXTS));
  }
  return undefined;
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
