'use strict';
// What can be read of a server as a whole.

const { bareParent } = require('./reads/read.js');
const { addTail, converterOf } = require('./reads/command.js');
const { listDatabasesCommand } = require('./reads/commands.js');
const { sendUserCommand, sendCommand } = require('./reads/send-command.js');
const { refuse } = require('./out-of-scope.js');
const { errors, apiError } = require('./errors.js');

class Admin {
  #db;

  /** Made by Db.admin(). */
  constructor(db) {
    this.#db = db;
  }

  async command(command, options) {
    return await sendUserCommand(this.#db.client, 'admin', command, options);
  }

  async buildInfo(options) {
    return await this.command({ buildinfo: 1 }, options);
  }

  async serverInfo(options) {
    return await this.command({ buildinfo: 1 }, options);
  }

  async serverStatus(options) {
    return await this.command({ serverStatus: 1 }, options);
  }

  async ping(options) {
    return await this.command({ ping: 1 }, options);
  }

  async replSetGetStatus(options) {
    return await this.command({ replSetGetStatus: 1 }, options);
  }

  async listDatabases(options) {
    const { client } = this.#db;
    const commandOf = (given) => listDatabasesCommand(converterOf(client, given)(given.filter, 'filter', true), given);
    return await sendCommand(bareParent(client), commandOf, options, { db: 'admin', retryReads: client.settings.retryReads });
  }

  async validateCollection(name, options = {}) {
    if (options?.repair || options?.fixMultikey) throw apiError('validate with repair or fixMultikey writes; use the official mongodb driver for it');
    const { signal, ...sent } = options ?? {};
    const result = await sendCommand(bareDb(this.#db), () => addTail({ validate: name, ...sent }, sent), options);
    if (result.result != null && typeof result.result !== 'string') throw unexpected('Error with validation data');
    if (/exception|corrupt/.test(result.result ?? '') || result.valid === false) throw unexpected(`Invalid collection ${name}`);
    return result;
  }
}

const bareDb = (db) => ({ ...bareParent(db.client), databaseName: db.databaseName });
const unexpected = (message) => new (errors().MongoUnexpectedServerResponseError)(message);

refuse(Admin, 'admin', { async: ['removeUser'] });

module.exports = { Admin };
