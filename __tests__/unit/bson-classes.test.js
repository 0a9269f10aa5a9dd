'use strict';
// Where the BSON classes come from.

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { execFileSync } = require('node:child_process');
const bson7 = require('bson');
const bson6 = require('bson6');
const mongodb = require('mongodb');
const { resolveBson } = require('../../js/bson/classes.js');

const JS = path.join(__dirname, '..', '..', 'js');
const NAMES = ['ObjectId', 'Long', 'Double', 'Int32', 'Decimal128', 'Binary', 'UUID', 'Timestamp', 'BSONRegExp', 'Code', 'DBRef', 'MinKey', 'MaxKey', 'BSONSymbol', 'BSONError'];

test('the option wins: exports of bson 6 or 7, of mongodb, or its BSON', () => {
  for (const [given, version, from] of [[bson7, 7, bson7], [bson6, 6, bson6], [bson6.BSON, 6, bson6], [mongodb, 7, mongodb.BSON], [mongodb.BSON, 7, mongodb.BSON], [{ default: bson6 }, 6, bson6]]) {
    const found = resolveBson({ bson: given });
    assert.equal(found.version, version);
    for (const name of NAMES) assert.equal(found[name], from[name], name);
    for (const name of ['serialize', 'deserialize', 'calculateObjectSize', 'EJSON']) assert.equal(found.BSON[name], from[name]);
  }
});

test('the ES module of bson is a set of classes of its own', async () => {
  const module = await import('bson');
  assert.equal(resolveBson({ bson: module }).ObjectId, module.ObjectId);
});

test('the same package gives the same object, so that decoders are shared', () => {
  assert.equal(resolveBson({ bson: bson7 }), resolveBson({ bson: bson7.BSON }));
  assert.equal(resolveBson(), resolveBson({}));
  assert.equal(resolveBson({ bson: null }), resolveBson({ bson: undefined }));
  assert.ok(Object.isFrozen(resolveBson()));
});

test('without the option: mongodb\'s', () => {
  assert.equal(resolveBson().ObjectId, mongodb.ObjectId);
});

test('something else under the option is an error that says what to pass', () => {
  class ObjectId {}
  for (const [given, message] of [
    [5, /option "bson" must be the exports of the bson or mongodb package, got number/], ['bson', /got string/],
    [{}, /option "bson" is not the exports/], [{ ObjectId, deserialize() {} }, /version unknown \(below 6\)/],
    [{ ...bson7, BSON: undefined, Long: undefined }, /it lacks Long/]
  ]) {
    assert.throws(() => resolveBson({ bson: given }), (error) => error instanceof TypeError && message.test(error.message) && /npm install bson/.test(error.message));
  }
});

/** Runs code in an application of its own, with the packages linked in its node_modules. */
function inApplication(packages, code, { inside = true } = {}) {
  const app = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-app-'));
  try {
    for (const [name, content] of Object.entries(packages)) {
      const folder = path.join(app, 'node_modules', name);
      fs.mkdirSync(path.dirname(folder), { recursive: true });
      if (fs.existsSync(content)) {
        fs.cpSync(content, folder, { recursive: true });
      } else {
        fs.mkdirSync(folder);
        fs.writeFileSync(path.join(folder, 'index.js'), content);
      }
    }
    // A copy: next to the real one, the real packages would be found.
    const ours = path.join(app, 'lib');
    fs.mkdirSync(path.join(ours, 'bson'), { recursive: true });
    for (const file of ['bson/classes.js', 'user-package.js']) fs.copyFileSync(path.join(JS, file), path.join(ours, file));
    const main = path.join(app, 'main.js');
    fs.writeFileSync(main, `const { resolveBson } = require(${JSON.stringify(path.join(ours, 'bson', 'classes.js'))});\n${code}`);
    return execFileSync(process.execPath, [main], { cwd: inside ? app : os.tmpdir(), encoding: 'utf8' }).trim();
  } finally {
    fs.rmSync(app, { recursive: true });
  }
}

const folderOf = (name) => path.dirname(path.dirname(require.resolve(name)));
const tell = 'const found = resolveBson(); console.log(found.version, found.ObjectId === require("bson").ObjectId);';
const complain = 'try { resolveBson(); } catch (error) { console.log(error.message, "|", error.cause?.message); }';

test('an application with bson 6 or 7 alone, also when it is started from elsewhere', () => {
  assert.equal(inApplication({ bson: folderOf('bson6') }, tell), '6 true');
  assert.equal(inApplication({ bson: folderOf('bson') }, tell, { inside: false }), '7 true');
});

test('mongodb comes before bson', () => {
  const fake = 'exports.BSON = require("bson7");';
  assert.equal(inApplication({ mongodb: fake, bson7: folderOf('bson'), bson: folderOf('bson6') }, tell), '7 false');
});

test('a mongodb that is too old or broken leaves bson', () => {
  const old = 'exports.ObjectId = class {}; exports.deserialize = () => {};';
  assert.equal(inApplication({ mongodb: old, bson: folderOf('bson') }, tell), '7 true');
  assert.equal(inApplication({ mongodb: 'throw new Error("broken");', bson: folderOf('bson') }, tell), '7 true');
});

test('with none that will do, the error says what is wrong and what to install', () => {
  assert.match(inApplication({}, complain), /neither mongodb nor bson can be found .*npm install bson/);
  assert.match(inApplication({ mongodb: 'throw new Error("broken");' }, complain), /mongodb does not load: broken; install .* \| broken/);
  assert.match(inApplication({ bson: 'exports.ObjectId = class {}; exports.deserialize = () => {};' }, complain), /bson: version unknown/);
});
