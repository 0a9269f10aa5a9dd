'use strict';
// What is declared is there, and what is there is declared: exports, members of classes, options of a client.

const assert = require('node:assert/strict');
const { EventEmitter } = require('node:events');
const { test } = require('node:test');
const { ts, program, inRoot, NODE_NEXT } = require('./compile.js');
const rumongo = require('../../js/index.js');
const { TABLE } = require('../../js/options/table.js');

const compiled = program(NODE_NEXT, {});
const checker = compiled.getTypeChecker();
const moduleSymbol = checker.getSymbolAtLocation(compiled.getSourceFile(inRoot('index.d.ts')));
const declared = new Map(checker.getExportsOfModule(moduleSymbol).filter((symbol) => !isTypeOnly(symbol)).map((symbol) => [symbol.name, target(symbol)]));
const isValue = (symbol) => (symbol.flags & ts.SymbolFlags.Value) !== 0;

// Members for other parts of this package, which have no underscore because they are called often.
const INTERNAL = {
  MongoClient: ['autoConnect', 'bridge', 'bsonClasses', 'checkUsable', 'coreId', 'eventMask', 'hearsCommands', 'settings', 'track', 'untrack'],
  Db: ['paramsCache'],
  Collection: ['paramsCache'],
  AbstractCursor: ['cursorOptions'],
};

function isTypeOnly({ declarations }) {
  return declarations.every((one) => ts.isExportSpecifier(one) && ts.isTypeOnlyImportOrExportDeclaration(one));
}

function target(symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

const sorted = (names) => [...new Set(names)].sort();

/** Of a runtime member: its name, or @@name of a well-known symbol; null for what is nobody's business. */
function nameOf(key) {
  if (typeof key === 'symbol') {
    const known = Object.getOwnPropertyNames(Symbol).find((name) => Symbol[name] === key);
    return known === undefined ? null : `@@${known}`;
  }
  return key === 'constructor' || key.startsWith('_') ? null : key;
}

/** The names of a class's public members as declared, without those of EventEmitter. */
function declaredMembers(type) {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected | ts.ModifierFlags.Abstract;
  const isOurs = (declaration) => (ts.getCombinedModifierFlags(declaration) & hidden) === 0 && !compiled.isSourceFileFromExternalLibrary(declaration.getSourceFile());
  return type.getProperties().filter(({ declarations }) => declarations?.every(isOurs)).map(({ name }) => name.replace(/^__@(\w+)@\d+$/, '@@$1')).filter((name) => !(name in EventEmitter.prototype));
}

/** The same as they are. */
function runtimeMembers(Class, instance) {
  const names = instance === undefined ? [] : Reflect.ownKeys(instance);
  const internal = [];
  for (let proto = Class.prototype; proto !== Object.prototype && proto !== EventEmitter.prototype; proto = Object.getPrototypeOf(proto)) {
    names.push(...Reflect.ownKeys(proto));
    internal.push(...(INTERNAL[proto.constructor.name] ?? []));
  }
  return names.map(nameOf).filter((name) => name !== null && !internal.includes(name) && !(name in EventEmitter.prototype));
}

const client = new rumongo.MongoClient('mongodb://localhost');
const db = client.db('shop');
const collection = db.collection('orders');
const INSTANCES = {
  MongoClient: client,
  Db: db,
  Collection: collection,
  Admin: db.admin(),
  FindCursor: collection.find(),
  AggregationCursor: collection.aggregate([]),
  ListCollectionsCursor: db.listCollections(),
  ListIndexesCursor: collection.listIndexes(),
  RunCommandCursor: db.runCursorCommand({ find: 'orders' }),
  AbstractCursor: undefined,
  ExplainableCursor: undefined,
  BatchCursor: undefined,
  BSONFileCursor: undefined,
  WorkerPool: undefined,
  Model: rumongo.Model.define(collection, { total: 1 }),
  Schema: new rumongo.Schema({ total: 1 }),
  ShadowSummary: new rumongo.ShadowSummary(),
  // With all there can be: what is not given is no property.
  ReadPreference: new rumongo.ReadPreference('nearest', [{ at: 'home' }], { maxStalenessSeconds: 100, hedge: { enabled: true } }),
  ReadConcern: new rumongo.ReadConcern('local'),
};

test('every export is declared, and every declared value exported', () => {
  const values = [...declared].filter(([, symbol]) => isValue(symbol)).map(([name]) => name);
  assert.deepEqual(sorted(values), sorted(Object.keys(rumongo)));
});

test('the ES module has the same exports', async () => {
  const { default: whole, ...named } = await import('../../js/index.mjs');
  assert.deepEqual(sorted(Object.keys(named)), sorted(Object.keys(rumongo)));
  assert.equal(whole, rumongo);
});

for (const [name, instance] of Object.entries(INSTANCES)) {
  test(`${name}: the same members`, () => {
    const Class = rumongo[name];
    const symbol = declared.get(name);
    assert.deepEqual(sorted(declaredMembers(checker.getDeclaredTypeOfSymbol(symbol))), sorted(runtimeMembers(Class, instance)));
    const statics = [];
    for (let own = Class; own !== Function.prototype && own !== EventEmitter; own = Object.getPrototypeOf(own)) statics.push(...Reflect.ownKeys(own));
    const ofFunctions = ['length', 'name', 'prototype'];
    const declaredStatics = declaredMembers(checker.getTypeOfSymbol(symbol)).filter((key) => !ofFunctions.includes(key));
    assert.deepEqual(sorted(declaredStatics), sorted(statics.map(nameOf).filter((key) => key !== null && !ofFunctions.includes(key))));
  });
}

test('classes are declared by their names, all of them', () => {
  const classes = Object.keys(rumongo).filter((name) => rumongo[name]?.prototype !== undefined && /^class/.test(String(rumongo[name])));
  const looked = new Set(Object.keys(INSTANCES));
  const own = classes.filter((name) => (declared.get(name).flags & ts.SymbolFlags.Class) !== 0 && !/Error$/.test(name) && !looked.has(name));
  assert.deepEqual(own.filter((name) => rumongo[name] !== rumongo.BSON[name]), []);
});

test('errors extend what they are declared to extend', () => {
  const names = Object.keys(rumongo).filter((name) => /^Mongo\w*Error$/.test(name));
  for (const name of names) {
    const [base] = checker.getBaseTypes(checker.getDeclaredTypeOfSymbol(declared.get(name)));
    assert.equal(base.symbol.name, Object.getPrototypeOf(rumongo[name]).name, name);
  }
});

test('tables of names have the values they are declared with', () => {
  const tables = Object.entries(rumongo).filter(([name, value]) => value !== null && typeof value === 'object' && Object.isFrozen(value) && name !== 'BSON' && !Array.isArray(value));
  assert.notEqual(tables.length, 0);
  for (const [name, table] of tables) {
    const properties = checker.getTypeOfSymbol(declared.get(name)).getProperties();
    const literals = Object.fromEntries(properties.map((property) => [property.name, checker.getTypeOfSymbol(property).value]));
    assert.deepEqual(literals, { ...table }, name);
  }
});

test('functions with properties', () => {
  assert.deepEqual(sorted(declaredMembers(checker.getTypeOfSymbol(declared.get('accelerate')))), sorted(Object.keys(rumongo.accelerate)));
});

test('options of a client: those that have an effect are declared, those that are refused are not', () => {
  const names = new Set(checker.getDeclaredTypeOfSymbol(declared.get('MongoClientOptions')).getProperties().map(({ name }) => name));
  for (const [name, { use }] of Object.entries(TABLE)) {
    if (use === 'core' || use === 'js') assert.ok(names.has(name), `${name} is not declared`);
    if (use === 'refused') assert.ok(!names.has(name), `${name} is declared, and refused`);
  }
  // rumongo's spellings, and what is no option of a connection.
  const known = new Set([...Object.keys(TABLE), 'bson', 'connectTimeoutMs', 'serverSelectionTimeoutMs']);
  assert.deepEqual([...names].filter((name) => !known.has(name)), []);
});
