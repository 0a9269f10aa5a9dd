'use strict';
// Is this object a lazy one, and which is its target? Asking a proxy for its own property PROBE makes the trap leave
// the target here; nothing has to be kept per document.

const PROBE = Symbol('rumongo.probe');
let probed = null;
let probedHandler = null;

/** For the getOwnPropertyDescriptor trap. */
function answer(target, handler) {
  probed = target;
  probedHandler = handler;
  return undefined;
}

/** The target of a lazy document or array, null if the object is neither. */
function targetOf(object) {
  if ((typeof object !== 'object' && typeof object !== 'function') || object === null) return null;
  probed = null;
  Reflect.getOwnPropertyDescriptor(object, PROBE);
  const target = probed;
  probed = null;
  return target;
}

/** The handler of a lazy document or array. */
function handlerOf(lazy) {
  targetOf(lazy);
  return probedHandler;
}

module.exports = { PROBE, answer, targetOf, handlerOf };
