'use strict';
// util.inspect, and so console.log, looks at a proxy's target and ignores traps: the hook on the targets' prototypes
// fills them first, so that they print as the plain document would, cycles included.

const { inspect } = require('node:util');
const { hiddenPrototype } = require('./target');
const { ArrayTarget } = require('./array');
const { move } = require('./document');
const { targetOf } = require('./probe');

const SOMETHING = Object.freeze({ something: 1 });

/** Stands where a value that cannot be decoded would be. */
class Unreadable {
  constructor(error) {
    this.error = error;
  }

  [inspect.custom](depth, options) {
    return options.stylize(`<${this.error?.name ?? 'Error'}: ${this.error?.message}>`, 'special');
  }
}

function hook(settle, empty) {
  return {
    enumerable: false,
    configurable: false,
    writable: false,
    value: function inspectLazy(depth) {
      // Past the depth limit only the kind is printed, and whether there is anything.
      if (typeof depth === 'number' && depth < 0) return Reflect.ownKeys(this).length > empty ? stub(this) : this;
      try {
        settle(this);
        return this; // "no other value": inspect goes on with the target
      } catch {
        return readable(this);
      }
    }
  };
}

function stub(value) {
  return Array.isArray(value) ? [SOMETHING] : SOMETHING;
}

/** A shallow copy in which bad values are marked. */
function readable(value) {
  const copy = Array.isArray(value) ? [] : {};
  for (const key of Reflect.ownKeys(value)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(value, key);
    if ('value' in descriptor) {
      Reflect.defineProperty(copy, key, descriptor);
      continue;
    }
    try {
      void value[key];
      Reflect.defineProperty(copy, key, descriptor);
    } catch (error) {
      Reflect.defineProperty(copy, key, { value: new Unreadable(error), enumerable: true });
    }
  }
  return copy;
}

Object.defineProperty(hiddenPrototype, inspect.custom, hook(move, 0));
Object.defineProperty(ArrayTarget.prototype, inspect.custom, hook((array) => ArrayTarget.settle(targetOf(array)), 1));
