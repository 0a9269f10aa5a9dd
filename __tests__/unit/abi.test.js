'use strict';
// The check of the C interface finds what has drifted apart, and nothing else.

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { compare, sources } = require('../../scripts/checks/abi.js');

const HEADER = 'core/cabi/abi.h';

/** What is found when one side is changed. */
function after(file, from, to) {
  const texts = sources();
  assert.match(texts[file], from, `${file} is not what this test changes`);
  return compare({ ...texts, [file]: texts[file].replace(from, to) }).wrong;
}

test('the interface is the same on all sides', () => {
  assert.deepEqual(compare(sources()).wrong, []);
});

test('functions: another signature, not exported, not called, not declared', () => {
  assert.deepEqual(after(HEADER, /rmg_stats\(size_t \*size\)/, 'rmg_stats(uint32_t *size)'),
    ['rmg_stats is declared as uint8_t*(uint32_t*), and exported as uint8_t*(size_t*)']);
  assert.deepEqual(after(HEADER, /extern uint32_t rmg_abi/, 'extern uint64_t rmg_abi'), ['rmg_abi is declared as uint64_t(), and exported as uint32_t()']);
  assert.deepEqual(after('core/cabi/exports.go', /\/\/export rmg_stats\n/, ''), ['rmg_stats is declared, and the core does not export it']);
  assert.deepEqual(after('napi/addon.cc', /= rmg_stats\(/, '= stats('), ['rmg_stats is declared, and the glue never calls it']);
  assert.deepEqual(after('core/cabi/exports.go', /\/\/export rmg_abi\n/, '//export rmg_more\nfunc rmg_more() {}\n//export rmg_abi\n'),
    ['rmg_more is exported, and declared nowhere']);
  assert.deepEqual(after('core/cabi/profile.go', /extern void rmg_profile_stop\(void\)/, 'extern int rmg_profile_stop(void)'),
    ['rmg_profile_stop is declared as int(), and exported as void()']);
  assert.deepEqual(after('core/cabi/mask.c', /void rmg_loaded\(void\) \{/, 'int rmg_loaded(void) {'), ['rmg_loaded is declared as void(), and exported as int()']);
});

test('structs: what JavaScript reads is where it reads it', () => {
  assert.deepEqual(after('napi/inbox.h', /uint32_t count;\n\s+uint32_t length;/, 'uint32_t length; uint32_t count;'),
    ['RecordHeader.count is at 16, JavaScript reads it at 12', 'RecordHeader.length is at 12, JavaScript reads it at 16']);
  const longer = after(HEADER, /double token;(\s+\/\* of the request it is about)/, 'double token; double more;$1');
  assert.ok(longer.includes('rmg_event has 40 bytes, JavaScript reads 32'), longer.join('\n'));
  assert.ok(longer.includes('rmg_event.kind is at 24, JavaScript reads it at 16'), longer.join('\n'));
});

test('numbers: operations, kinds, flags, the version and the order of events', () => {
  assert.deepEqual(after(HEADER, /RMG_OP_FIND = 2/, 'RMG_OP_FIND = 4'), ['RMG_OP_FIND is 4 in abi.h, 2 in js/native/bridge.js']);
  assert.deepEqual(after(HEADER, /RMG_LAST = 2/, 'RMG_LAST = 8'), ['RMG_LAST is 8 in abi.h, 2 in js/native/chunk.js']);
  assert.deepEqual(after('core/fetch/outlet.go', /Columns Kind = 7/, 'Columns Kind = 8'), ['RMG_KIND_COLUMNS is 7 in abi.h, 8 in core/fetch/outlet.go']);
  assert.match(after(HEADER, /#define RMG_ABI \d+/, '#define RMG_ABI 1000').join(), /^RMG_ABI is 1000 in abi\.h, \d+ in js\/native\/binding\.js$/);
  assert.match(after('core/driver/monitor.go', /\tPoolCreated\n\tPoolReady\n/, '\tPoolReady\n\tPoolCreated\n').join(), /^events: /);
});
