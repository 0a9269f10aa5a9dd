'use strict';

/** Where a read goes, with the fields of the official driver's class. */
class MongoDBNamespace {
  /**
   * @param {string} db
   * @param {string} [collection] none, or an empty name: the database itself
   */
  constructor(db, collection) {
    this.db = db;
    this.collection = collection === '' ? undefined : collection;
  }

  toString() {
    return this.collection ? `${this.db}.${this.collection}` : this.db;
  }

  withCollection(collection) {
    return new MongoDBNamespace(this.db, collection);
  }
}

module.exports = { MongoDBNamespace };
