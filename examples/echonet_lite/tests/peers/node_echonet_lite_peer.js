// npm's node-echonet-lite under the tests: a controller. The commands are in tests/common/peer.rs.
'use strict';
const EchonetLite = require('node-echonet-lite');
const core = require('node-echonet-lite/lib/core/core.js');
const readline = require('readline');

const SERVICES = {
  '50': 'SetI_SNA', '51': 'SetC_SNA', '52': 'Get_SNA', '53': 'INF_SNA', '60': 'SetI', '61': 'SetC', '62': 'Get', '63': 'INF_REQ',
  '71': 'Set_Res', '72': 'Get_Res', '73': 'INF', '74': 'INFC', '7a': 'INFC_Res',
};
const el = new EchonetLite({ type: 'lan', netif: process.argv[2] });
const bytes = (hex) => [...Buffer.from(hex, 'hex')];
const heard = [];

const frame = (line) => {
  const [tid, seoj, deoj, esv, list] = line.split(' ');
  const prop = list === '-' ? [] : list.split(',').map((pair) => {
    const [epc, edt] = pair.split(':');
    return { epc: parseInt(epc, 16), edt: edt ? Buffer.from(edt, 'hex') : null };
  });
  return { tid: parseInt(tid, 16), seoj: bytes(seoj), deoj: bytes(deoj), esv: SERVICES[esv], prop };
};
const text = (it) => {
  const eoj = (all) => Buffer.from(all).toString('hex');
  const esv = Object.keys(SERVICES).find((code) => SERVICES[code].toUpperCase() === it.esv.toUpperCase());
  const list = it.prop.map(({ epc, buffer }) => `${epc.toString(16)}:${buffer ? buffer.toString('hex') : ''}`).join(',') || '-';
  return `${it.tid.toString(16).padStart(4, '0')} ${eoj(it.seoj)} ${eoj(it.deoj)} ${esv} ${list}`;
};

async function until(is) {
  for (let tries = 0; tries < 70; tries += 1) {
    const found = heard.find(is);
    if (found) return found.message;
    await new Promise((done) => setTimeout(done, 10));
  }
  return null;
}

async function command(word, rest) {
  const words = rest.split(' ');
  switch (word) {
    case 'build':
      return SERVICES[words[3]] ? core.create(frame(rest)).toString('hex') : 'unsupported';
    case 'parse': {
      const it = core.parse(Buffer.from(rest, 'hex'));
      return !it ? 'malformed' : it.message.esv && SERVICES[rest.substr(20, 2)] ? text(it.message) : 'unsupported';
    }
    case 'ask': {
      if (!SERVICES[words[4]]) return 'unsupported';
      heard.length = 0;
      const it = frame(words.slice(1).join(' '));
      el.setTransactionId(it.tid);
      el.setSelfEoj(it.seoj);
      el.send(words[0], it.deoj, it.esv, it.prop, () => {});
      const answer = await until((one) => one.device.address === words[0] && one.message.tid === it.tid);
      return answer ? text(answer) : 'none';
    }
    case 'discover':
      return new Promise((done) => {
        const limit = setTimeout(() => done('none'), 5000);
        el.setTransactionId(null);
        el.startDiscovery((_, found) => {
          if (!found || found.device.address !== rest) return;
          clearTimeout(limit);
          el.stopDiscovery();
          done(found.device.eoj.map((eoj) => Buffer.from(eoj).toString('hex')).sort().join(','));
        });
      });
    case 'read':
      return new Promise((done) => {
        el.setTransactionId(null);
        el.getPropertyValue(words[0], bytes(words[1]), parseInt(words[2], 16), (error, found) =>
          done(error ? `failed ${error}` : found.message.prop[0].buffer.toString('hex')));
      });
    default:
      return 'unsupported';
  }
}

el.init(async (error) => {
  if (error) throw error;
  el.on('data', (it) => heard.push(it));
  console.log('ready');
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [word, ...rest] = line.split(' ');
    console.log(await command(word, rest.join(' ')).catch((problem) => `failed ${problem}`));
  }
  process.exit(0);
});
