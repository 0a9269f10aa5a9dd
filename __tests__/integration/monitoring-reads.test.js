'use strict';
// Those who follow reads: subscribers of diagnostics_channel, and OpenTelemetry.

const { test, before, after, beforeEach } = require('node:test');
const assert = require('node:assert/strict');
const { tracingChannel } = require('node:diagnostics_channel');
const { AsyncLocalStorage } = require('node:async_hooks');
const otel = require('@opentelemetry/api');
const { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } = require('@opentelemetry/sdk-trace-base');
const { AsyncLocalStorageContextManager } = require('@opentelemetry/context-async-hooks');
const { MongoClient } = require('../..');
const { startFixture } = require('../support/fixture-server.js');

let fixture;
let client;
let people;
before(async () => {
  fixture = await startFixture();
  await fixture.load('app.people', 'mixed45', 300);
  client = await MongoClient.connect(fixture.uri);
  people = client.db('app').collection('people');
});
after(async () => {
  await client?.close();
  await fixture?.stop();
});

// ---- diagnostics_channel

/** What subscribers of the channel are told while act runs. */
async function published(act) {
  const told = [];
  const handlers = Object.fromEntries(['start', 'end', 'asyncStart', 'asyncEnd', 'error']
    .map((name) => [name, (message) => told.push([name, { ...message }, message])]));
  const channel = tracingChannel('rumongo-go:read');
  channel.subscribe(handlers);
  try {
    await act();
  } finally {
    channel.unsubscribe(handlers);
  }
  return told;
}

test('a read is told when it starts and when it is over, with its figures and without values', async () => {
  const told = await published(() => people.find({ name: 'hidden value' }).toArray());
  assert.deepEqual(told.map(([name]) => name), ['start', 'end', 'asyncStart', 'asyncEnd']);
  assert.equal(new Set(told.map(([, , message]) => message)).size, 1, 'one message');
  const [{ 1: first }, , , { 1: last }] = told;
  assert.deepEqual([first.operation, first.namespace, first.database, first.collection], ['find', 'app.people', 'app', 'people']);
  assert.equal(`${first.server.address}:${first.server.port}`, new URL(fixture.uri).host);
  assert.equal(first.ms, undefined);
  assert.deepEqual([last.documents, last.bytes, last.cancelled, last.error], [0, 0, false, undefined]);
  assert.doesNotMatch(JSON.stringify(told.map(([, copy]) => copy)), /hidden/);
});

test('documents and bytes of cursors, left early or not, and of commands', async () => {
  const last = async (act) => (await published(act)).at(-1)[1];
  const whole = await last(() => people.find({}, { batchSize: 50 }).toArray());
  assert.equal(whole.documents, 300);
  assert.ok(whole.bytes > 10_000 && whole.ms >= 0);
  const early = await last(async () => {
    const cursor = people.find({}, { batchSize: 50 });
    await cursor.next();
    await cursor.close();
  });
  assert.ok(early.cancelled || early.documents === 300);
  const ping = await last(() => client.db('app').command({ ping: 1 }));
  assert.deepEqual([ping.operation, ping.namespace, ping.collection, ping.documents], ['ping', 'app', undefined, 1]);
});

test('a read that fails: the error its caller gets, whose stack begins at the caller', async () => {
  let caught;
  async function theCaller() {
    await people.find({ $fails: 1 }).toArray();
  }
  const told = await published(() => theCaller().catch((error) => { caught = error; }));
  assert.deepEqual(told.map(([name]) => name), ['start', 'end', 'error', 'asyncStart', 'asyncEnd']);
  assert.equal(told[2][1].error, caught);
  assert.match(caught.stack, /^MongoServerError: .*\n(.*\n)*.*theCaller/);

  const command = await published(() => client.db('app').command({ find: 'people', filter: { $fails: 1 } }).catch((error) => { caught = error; }));
  assert.equal(command.at(-1)[1].error, caught);
});

test('the stores that are bound to the channel, and the context in which the end is told', async () => {
  const storage = new AsyncLocalStorage();
  const seen = [];
  const channel = tracingChannel('rumongo-go:read');
  const handlers = { asyncEnd: () => seen.push(storage.getStore()) };
  channel.subscribe(handlers);
  try {
    await Promise.all(['a', 'b', 'c'].map((name) => storage.run(name, () => people.find({}, { batchSize: 20 }).toArray())));
  } finally {
    channel.unsubscribe(handlers);
  }
  assert.deepEqual(seen.sort(), ['a', 'b', 'c']);
});

// ---- OpenTelemetry

const exporter = new InMemorySpanExporter();
beforeEach(() => exporter.reset());

test('nothing is traced while there is no provider', async () => {
  await people.findOne({});
  assert.deepEqual(exporter.getFinishedSpans(), []);
});

test('OpenTelemetry', async (t) => {
  otel.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  otel.trace.setGlobalTracerProvider(provider);
  const tracer = otel.trace.getTracer('test');
  const { address, port } = client.settings.server;
  t.after(() => otel.trace.disable());

  await t.test('one span for a read, by the conventions for databases, under the caller\'s', async () => {
    await tracer.startActiveSpan('parent', async (parent) => {
      await people.find({ name: 'hidden value' }, { batchSize: 10 }).toArray();
      await people.find({}, { batchSize: 50 }).toArray();
      parent.end();
    });
    const spans = exporter.getFinishedSpans();
    assert.deepEqual(spans.map(({ name }) => name), ['find people', 'find people', 'parent']);
    const [, span, parent] = spans;
    assert.equal(span.kind, otel.SpanKind.CLIENT);
    assert.equal(span.parentSpanContext.spanId, parent.spanContext().spanId);
    assert.equal(span.instrumentationScope.name, 'rumongo-go');
    assert.deepEqual(span.attributes, {
      'db.system.name': 'mongodb', 'db.namespace': 'app', 'db.operation.name': 'find', 'db.collection.name': 'people',
      'server.address': address, 'server.port': port, 'db.response.returned_rows': 300,
    });
    assert.equal(span.status.code, otel.SpanStatusCode.UNSET);
    assert.doesNotMatch(JSON.stringify(spans.map(({ attributes, events }) => [attributes, events])), /hidden/);
  });

  await t.test('concurrent reads have their own parents', async () => {
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => tracer.startActiveSpan(name, async (parent) => {
      for await (const doc of people.find({}, { batchSize: 40 })) assert.ok(doc);
      parent.end();
    })));
    const spans = exporter.getFinishedSpans();
    const parents = new Map(spans.filter(({ name }) => name.length === 1).map((span) => [span.spanContext().spanId, span.name]));
    const children = spans.filter(({ name }) => name === 'find people').map((span) => parents.get(span.parentSpanContext.spanId));
    assert.deepEqual(children.sort(), ['a', 'b', 'c', 'd']);
  });

  await t.test('failures: the server\'s code, else the class', async () => {
    await assert.rejects(people.findOne({ $fails: 1 }));
    const [failed] = exporter.getFinishedSpans();
    assert.equal(failed.attributes['error.type'], '2');
    assert.equal(failed.attributes['db.response.status_code'], '2');
    assert.equal(failed.attributes['db.response.returned_rows'], undefined);
    assert.equal(failed.status.code, otel.SpanStatusCode.ERROR);
    assert.equal(failed.events[0].name, 'exception');

    exporter.reset();
    const nowhere = new MongoClient('mongodb://127.0.0.1:1,127.0.0.1:2/', { serverSelectionTimeoutMS: 50 });
    await assert.rejects(nowhere.db('app').collection('people').find().toArray());
    await nowhere.close();
    const [span] = exporter.getFinishedSpans();
    assert.equal(span.attributes['error.type'], 'MongoServerSelectionError');
    assert.equal(span.attributes['server.address'], undefined, 'not known which of two');
  });

  await t.test('without a collection', async () => {
    await client.db('app').command({ ping: 1 });
    const [span] = exporter.getFinishedSpans();
    assert.equal(span.name, 'ping app');
    assert.deepEqual(Object.keys(span.attributes).sort(), ['db.namespace', 'db.operation.name', 'db.system.name', 'server.address', 'server.port']);
  });

  await t.test('the option', async () => {
    const silent = await MongoClient.connect(fixture.uri, { tracing: { enabled: false } });
    await silent.db('app').collection('people').findOne({});
    await silent.close();
    assert.deepEqual(exporter.getFinishedSpans(), []);
    new MongoClient(fixture.uri, { tracing: { enabled: true } });
    for (const tracing of [true, 'on', { enabled: 1 }, { enable: true }, []]) {
      assert.throws(() => new MongoClient(fixture.uri, { tracing }), { name: 'MongoParseError', message: /tracing must be an object \{ enabled/ });
    }
  });
});
