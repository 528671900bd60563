import { CALL } from './harness.js';

/** A pseudo-random number generator with a fixed seed. */
export function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const deep = JSON.parse(`${'[{"a":'.repeat(400)}1${'}]'.repeat(400)}`);

export const NAMES = [
  'client:tool_call',
  'client:get_tools',
  'client:get_config',
  'client:get_desktop',
  'client:x_custom',
  'server:join_office',
  'server:leave_office',
  'server:list_room',
  'server:update_config',
  'server:update_tool_list',
  'server:tool_call_cancel',
  'notify:enter_office',
  '__proto__',
  'constructor',
  '',
  'x'.repeat(5_000),
];

/** Missing, of the wrong type, too large, too deep, forged, and some valid payloads. */
export const PAYLOADS: readonly unknown[] = [
  undefined,
  null,
  0,
  true,
  '',
  [],
  {},
  deep,
  Buffer.from('bytes'),
  { bytes: Buffer.from('bytes') },
  JSON.parse('{"__proto__":{"x":1},"constructor":{},"hasOwnProperty":1}'),
  { role: 'agent' },
  { role: 'root', name: 'a', office_id: 'o' },
  { role: 'agent', name: 'intruder', office_id: 'o' },
  { role: 'computer', name: 'pc', office_id: 'o' },
  { role: 'computer', name: '\u202e\u0000', office_id: 'o2' },
  { role: 'computer', name: 'pc', office_id: 'o2' },
  { role: 'agent', name: 'b', office_id: 'o2' },
  { office_id: 'o' },
  { office_id: 'o2' },
  { office_id: 'x'.repeat(9_999) },
  { agent: 'b', req_id: 'r1', office_id: 'o2' },
  { computer: 'pc' },
  CALL,
  { ...CALL, timeout: -1 },
  { ...CALL, timeout: Number.MAX_VALUE },
  { ...CALL, params: deep },
  { ...CALL, computer: 'x'.repeat(9_999) },
  { ...CALL, req_id: { toString: 'no function' } },
];

/** Frames that no Socket.IO client sends. Most of them make the server close the connection. */
export const FRAMES: readonly (string | Buffer)[] = [
  '',
  'garbage',
  '0',
  '1',
  '2',
  '3probe',
  '4',
  '5',
  '6',
  '9',
  '40/smcp,',
  '40/smcp,"not an object"',
  '40/elsewhere,',
  '41/smcp,',
  '42',
  '42/smcp,',
  '42/smcp,[',
  '42/smcp,{}',
  '42/smcp,[]',
  '42/smcp,[1]',
  '42/smcp,[null,{}]',
  '42/smcp,["connect"]',
  '42/smcp,["disconnect"]',
  '42/smcp,7["server:nope",{}]',
  '42/smcp,9007199254740993["client:tool_call",{}]',
  '43/smcp,0[{}]',
  '43/smcp,999999999[{"tools":[]}]',
  '43/smcp,x[]',
  '44/smcp,{}',
  '451-/smcp,["client:tool_call",{"_placeholder":true,"num":0}]',
  '451-/smcp,["client:tool_call",{"_placeholder":true,"num":9}]',
  '45999999-/smcp,["x"]',
  `42/smcp,["client:tool_call",${'['.repeat(100_000)}`,
  Buffer.from([0, 255, 1]),
];
