'use strict';
// The key sequences of documents as a tree: a document is a walk down from its root, and the node it ends at knows how to
// make the object. In a collection nearly every document takes the same way, so a step is one comparison of bytes, and the
// name is a string that V8 knows already.

const { dictionary } = require('../frames/generic.js');
const { codeGenerationAllowed } = require('../frames/shapes.js');
const { bytesOf } = require('./names.js');

// Compiling costs about as much as making a hundred documents without.
const COMPILE_AFTER = 48;
const MAX_COMPILED = 2048;
// V8 makes a dictionary of a literal with more than 1,020 keys, at ten times the cost for each.
const MAX_FIELDS = 500;
// Keys that are data (a map by id) must not grow the tree: what follows a key in more ways than this is read key by key.
const MAX_WAYS = 128;

let compiled = 0;

class KeyNode {
  constructor(parent, name, bytes) {
    this.parent = parent;
    this.name = name;
    this.bytes = bytes;
    this.likely = null; // the step taken last
    this.ways = null; // Map from name to node
    this.below = null; // root of the documents in this field, or in the array in it
    this.names = null; // from the root to here
    this.uses = 0;
    this.make = null; // compiled: (values, first) => object
  }

  /** The node after this one for the key in buf[at..end), or null where there is no room for one. */
  step(name, buf, at, end, budget) {
    let next = this.ways?.get(name);
    if (next === undefined) {
      if (budget.nodes === 0 || this.ways?.size >= MAX_WAYS) return null;
      budget.nodes--;
      next = new KeyNode(this, name, bytesOf(buf, at, end));
      (this.ways ??= new Map()).set(name, next);
    }
    return next;
  }

  /** The object of a document that ends here, whose values are values[first..]. */
  object(values, first) {
    if (this.make !== null) return this.make(values, first);
    const names = this.names ??= this.path();
    if (++this.uses === COMPILE_AFTER && names.length <= MAX_FIELDS && compiled < MAX_COMPILED && codeGenerationAllowed()) {
      compiled++;
      this.make = compile(names);
    }
    return fill({}, names, values, first);
  }

  /** The same for the fields up to here of a document that goes on as none before. */
  unlike(values, first) {
    return fill(dictionary(), this.names ??= this.path(), values, first);
  }

  path() {
    const names = [];
    for (let node = this; node.parent !== null; node = node.parent) names.push(node.name);
    return names.reverse();
  }
}

function fill(object, names, values, first) {
  for (let i = 0; i < names.length; i++) assign(object, names[i], values[first + i]);
  return object;
}

/** As js-bson: a key named __proto__ is a key. */
function assign(object, name, value) {
  if (name === '__proto__') Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  else object[name] = value;
}

function compile(names) {
  const fields = names.map((name, i) => `${name === '__proto__' ? '["__proto__"]' : JSON.stringify(name)}:v[n+${i}]`);
  return new Function('v', 'n', `'use strict';return{${fields.join(',')}}`);
}

module.exports = { KeyNode, assign };
