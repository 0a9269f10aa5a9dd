'use strict';
// Changes an object by a prototype in front of its own: it stays the same object, of the same class, and what the
// application has put on it, or changes on the driver's classes, still counts. A layer can be taken out again wherever it is
// in the chain.

/**
 * @param {object} official a prototype
 * @param {(next: () => object) => Object<string, Function>} methodsOf next(): what is behind the layer at the time
 * @returns {object} the layer
 */
function makeLayer(official, methodsOf) {
  const layer = Object.create(official);
  const methods = methodsOf(() => Object.getPrototypeOf(layer));
  for (const [name, value] of Object.entries(methods)) {
    if (typeof official[name] !== 'function') continue; // a driver without this method
    Object.defineProperty(value, 'name', { value: name });
    Object.defineProperty(value, 'length', { value: official[name].length });
    Object.defineProperty(layer, name, { value, writable: true, configurable: true });
  }
  return layer;
}

function addLayer(object, layer) {
  Object.setPrototypeOf(object, layer);
}

function removeLayer(object, layer) {
  for (let at = object; at !== null; at = Object.getPrototypeOf(at)) {
    if (Object.getPrototypeOf(at) === layer) {
      Object.setPrototypeOf(at, Object.getPrototypeOf(layer));
      return;
    }
  }
}

module.exports = { makeLayer, addLayer, removeLayer };
