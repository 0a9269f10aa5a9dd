'use strict';
// A database: a name, the defaults its collections inherit, and what can be read of it as a whole.

const { Admin } = require('./admin.js');
const { Collection } = require('./collection.js');
const { AggregationCursor } = require('./cursor/aggregation-cursor.js');
const { ListCollectionsCursor } = require('./cursor/list-cursors.js');
const { RunCommandCursor } = require('./cursor/run-command-cursor.js');
const { checkReadOptions, bareParent, settledOptions } = require('./reads/read.js');
const { dbStatsCommand } = require('./reads/commands.js');
const { addTail } = require('./reads/command.js');
const { sendUserCommand, sendCommand } = require('./reads/send-command.js');
const { MongoDBNamespace } = require('./namespace.js');
const { inheritBsonOptions } = require('./bson/options.js');
const { readPreferenceOf, readConcernOf } = require('./reads/read-preference.js');
const { refuse } = require('./out-of-scope.js');
const { errors, invalidArgument } = require('./errors.js');

const PROFILING_LEVELS = ['off', 'slow_only', 'all'];

class Db {
  static SYSTEM_NAMESPACE_COLLECTION = 'system.namespaces';
  static SYSTEM_INDEX_COLLECTION = 'system.indexes';
  static SYSTEM_PROFILE_COLLECTION = 'system.profile';
  static SYSTEM_USER_COLLECTION = 'system.users';
  static SYSTEM_COMMAND_COLLECTION = '$cmd';
  static SYSTEM_JS_COLLECTION = 'system.js';

  #options;

  /** Made by MongoClient.db(). */
  constructor(client, name, options) {
    if (typeof name !== 'string') {
      throw invalidArgument(`Argument "name" must be a database name (a string), got ${typeof name}`);
    }
    if (name.includes('.')) throw invalidArgument("Database names cannot contain the character '.'");
    const given = checkReadOptions(options);
    this.#options = { ...given };
    this.client = client;
    this.databaseName = name;
    this.bsonOptions = inheritBsonOptions(given, client.bsonOptions);
    this.readPreference = readPreferenceOf(given) ?? client.readPreference;
    this.readConcern = readConcernOf(given) ?? client.readConcern;
    Object.defineProperty(this, 'paramsCache', { value: new Map() }); // see collection.js
  }

  get namespace() {
    return this.databaseName;
  }

  get options() {
    return this.#options;
  }

  get secondaryOk() {
    return this.readPreference.secondaryOk();
  }

  collection(name, options) {
    return new Collection(this, name, options);
  }

  admin() {
    return new Admin(this);
  }

  aggregate(pipeline, options) {
    return new AggregationCursor(this, new MongoDBNamespace(this.databaseName), pipeline, options);
  }

  listCollections(filter = {}, options = undefined) {
    return new ListCollectionsCursor(this, filter, options);
  }

  async collections(options) {
    const list = await this.listCollections({}, { ...settledOptions(this, checkReadOptions(options)), nameOnly: true }).toArray();
    return list.filter(({ name }) => !name.includes('$')).map(({ name }) => new Collection(this, name));
  }

  /** Inherits nothing, as in the official driver: read preference and BSON options are those of the call. */
  async command(command, options) {
    return await sendUserCommand(this.client, this.databaseName, command, options);
  }

  runCursorCommand(command, options) {
    return new RunCommandCursor(bareParent(this.client), this, command, options);
  }

  async stats(options) {
    return await sendCommand(this, dbStatsCommand, options);
  }

  async profilingLevel(options) {
    const { was } = await sendCommand(this, (settled) => addTail({ profile: -1 }, settled), options);
    const level = PROFILING_LEVELS[Number(was)];
    if (level === undefined) throw new (errors().MongoUnexpectedServerResponseError)(`Illegal profiling level value ${was}`);
    return level;
  }

  async indexInformation(name, options) {
    return await this.collection(name).indexInformation(settledOptions(this, checkReadOptions(options)));
  }
}

refuse(Db, 'db', {
  async: ['createCollection', 'renameCollection', 'dropCollection', 'dropDatabase', 'createIndex', 'removeUser', 'setProfilingLevel'],
  sync: ['watch'],
});

module.exports = { Db };
