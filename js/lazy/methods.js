'use strict';
// The three methods of a lazy document. They are no properties: only reading their names finds them, and a stored
// field of the same name comes first.

const { helpers } = require('./document');
const { targetOf } = require('./probe');
const { detach } = require('./detach');

function targetFor(method, document) {
  const target = targetOf(document);
  if (target === null) throw new TypeError(`${method}() must be called on a lazy document`);
  return target;
}

/** The names of the document's fields, without decoding any. */
helpers.set('keys', function keys() {
  targetFor('keys', this);
  return Reflect.ownKeys(this).filter((key) => typeof key === 'string');
});

/** The value of a field, undefined if there is none: also for fields that carry the name of a method. */
helpers.set('getField', function getField(name) {
  targetFor('getField', this);
  if (typeof name !== 'string') throw new TypeError(`getField(name): name must be a string, got ${typeof name}`);
  return name in this && Object.hasOwn(this, name) ? this[name] : undefined;
});

/** A plain, deep copy that holds nothing of the batch. What was assigned or deleted is as the document has it. */
helpers.set('toObject', function toObject() {
  targetFor('toObject', this);
  return detach(this);
});
