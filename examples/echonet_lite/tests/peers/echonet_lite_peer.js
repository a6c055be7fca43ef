// npm's echonet-lite under the tests: a controller and an air conditioner. The commands are in tests/common/peer.rs.
'use strict';
const EL = require('echonet-lite');
const readline = require('readline');

const OBJECT = '013001';
const TWO_LISTS = [EL.SETGET, EL.SETGET_RES, EL.SETGET_SNA];
const device = {
  [OBJECT]: {
    80: [0x31], 81: [0x08], 82: [0, 0, 0x52, 0], 88: [0x42], '8a': [0, 0, 0x77],
    '9d': [3, 0x80, 0x81, 0xb0], '9e': [4, 0x80, 0x81, 0xb0, 0xb3],
    '9f': [10, 0x80, 0x81, 0x82, 0x88, 0x8a, 0x9d, 0x9e, 0x9f, 0xb0, 0xb3], b0: [0x41], b3: [24],
  },
};
const heard = [];

const text = (it) => {
  const list = Object.entries(it.DETAILs).map(([epc, edt]) => `${epc}:${edt}`).join(',') || '-';
  return `${it.TID} ${it.SEOJ} ${it.DEOJ} ${it.ESV} ${list}`;
};
const frame = (line) => {
  const [TID, SEOJ, DEOJ, ESV, list] = line.split(' ');
  const DETAILs = {};
  if (list !== '-') for (const pair of list.split(',')) DETAILs[pair.split(':')[0]] = pair.split(':')[1];
  return { TID, SEOJ, DEOJ, ESV, DETAILs };
};

function receive(source, it) {
  if (!it) return;
  heard.push([source.address, it]);
  if (it.DEOJ !== OBJECT) return;
  if (it.ESV === EL.GET) EL.replyGetDetail(source, it, device);
  if (it.ESV === EL.SETI || it.ESV === EL.SETC) EL.replySetDetail(source, it, device);
}

async function until(is) {
  for (let tries = 0; tries < 70; tries += 1) {
    const found = heard.find(is);
    if (found) return found[1];
    await new Promise((done) => setTimeout(done, 10));
  }
  return null;
}

async function command(word, rest) {
  const words = rest.split(' ');
  switch (word) {
    case 'build': {
      if (TWO_LISTS.includes(words[3])) return 'unsupported';
      const send = EL.sendBase;
      let bytes;
      EL.sendBase = (_, buffer) => { bytes = buffer; };
      // The library takes the number from its own counter.
      EL.tid = EL.toHexArray(words[0]);
      EL.tid[1] -= 1;
      EL.sendELDATA('', { ...frame(rest), TID: '' });
      EL.sendBase = send;
      return bytes.toString('hex');
    }
    case 'parse': {
      const it = EL.parseBytes(Buffer.from(rest, 'hex'));
      return !it ? 'malformed' : TWO_LISTS.includes(it.ESV) ? 'unsupported' : text(it);
    }
    case 'ask': {
      if (TWO_LISTS.includes(words[4])) return 'unsupported';
      heard.length = 0;
      const tid = EL.bytesToString(EL.sendELDATA(words[0], { ...frame(words.slice(1).join(' ')), TID: '' }));
      const answer = await until(([address, it]) => address === words[0] && it.TID === tid);
      // Answer with the number of the request, which the library has chosen.
      return answer ? text({ ...answer, TID: words[1] }) : 'none';
    }
    case 'discover': {
      heard.length = 0;
      EL.search();
      const answer = await until(([address, it]) => address === rest && it.DETAILs.d6);
      return answer ? answer.DETAILs.d6.slice(2).match(/.{6}/g).sort().join(',') : 'none';
    }
    case 'announce':
      device[words[0]][words[1]] = EL.toHexArray(words[2]);
      EL.sendOPC1(EL.EL_Multi, words[0], '0ef001', EL.INF, words[1], words[2]);
      return 'ok';
    default:
      return 'unsupported';
  }
}

(async () => {
  console.error = () => {};
  await EL.initialize([OBJECT], receive, 4, { v4: process.argv[2], ignoreMe: true, autoGetProperties: false, debugMode: false });
  console.log('ready');
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [word, ...rest] = line.split(' ');
    console.log(await command(word, rest.join(' ')).catch((error) => `failed ${error}`));
  }
  process.exit(0);
})();
