'use strict';
// The cursors of listCollections(), listIndexes() and listSearchIndexes(). As in the official driver, what the call said wins
// over what setters say later, but for the getMore.

const { AbstractCursor } = require('./abstract-cursor.js');
const { AggregationCursor } = require('./aggregation-cursor.js');
const { MODES, settle, settledOptions, prepareCursor } = require('../reads/read.js');
const { converterOf } = require('../reads/command.js');
const { listCollectionsCommand, listIndexesCommand } = require('../reads/commands.js');
const { MongoDBNamespace } = require('../namespace.js');
const { invalidArgument } = require('../errors.js');

class ListCursor extends AbstractCursor {
  constructor(parent, namespace, options) {
    super(parent, namespace, options);
    this.parent = parent;
  }

  _prepare() {
    const options = { ...this._late, ...settledOptions(this._parent, this._options) };
    if (options.explain != null) throw invalidArgument('Option "explain" is not supported on this command');
    const built = { command: this._command(options), ...settle(this._parent, options) };
    return prepareCursor(this._parent, this._namespace, built, { ...this._settled(), limit: undefined }, MODES.EAGER);
  }
}

class ListCollectionsCursor extends ListCursor {
  constructor(db, filter, options) {
    super(db, new MongoDBNamespace(db.databaseName), options);
    this.filter = filter;
  }

  _command(options) {
    return listCollectionsCommand(converterOf(this.client, options)(this.filter, 'filter', true), options);
  }

  clone() {
    return new ListCollectionsCursor(this._parent, this.filter, { ...this._options, ...this._late });
  }
}

class ListIndexesCursor extends ListCursor {
  constructor(collection, options) {
    super(collection, collection.fullNamespace, options);
  }

  _command(options) {
    return listIndexesCommand(this._namespace.collection, options);
  }

  clone() {
    return new ListIndexesCursor(this._parent, { ...this._options, ...this._late });
  }
}

class ListSearchIndexesCursor extends AggregationCursor {
  /** @param parent what it inherits from: in the official driver not the collection */
  constructor(parent, namespace, name, options) {
    super(parent, namespace, [{ $listSearchIndexes: name == null ? {} : { name } }], options);
  }
}

module.exports = { ListCollectionsCursor, ListIndexesCursor, ListSearchIndexesCursor };
