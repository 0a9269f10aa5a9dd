'use strict';
// A database: a name, and the defaults its collections inherit.

const { Collection } = require('./collection.js');
const { checkReadOptions } = require('./read.js');
const { inheritBsonOptions } = require('./bson-options.js');
const { readPreferenceOf, readConcernOf } = require('./read-preference.js');
const { invalidArgument } = require('./errors.js');

class Db {
  /** Made by MongoClient.db(). */
  constructor(client, name, options) {
    if (typeof name !== 'string') {
      throw invalidArgument(`Argument "name" must be a database name (a string), got ${typeof name}`);
    }
    if (name.includes('.')) throw invalidArgument("Database names cannot contain the character '.'");
    const given = checkReadOptions(options);
    this.client = client;
    this.databaseName = name;
    this.bsonOptions = inheritBsonOptions(given, client.bsonOptions);
    this.readPreference = readPreferenceOf(given) ?? client.readPreference;
    this.readConcern = readConcernOf(given) ?? client.readConcern;
  }

  get namespace() {
    return this.databaseName;
  }

  collection(name, options) {
    return new Collection(this, name, options);
  }
}

module.exports = { Db };
