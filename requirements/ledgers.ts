import { a2cComputerConfig } from './a2c-computer-config.js';
import { agent } from './agent.js';
import { computer } from './computer.js';
import { config } from './config.js';
import { console } from './console.js';
import { house } from './house.js';
import { hub } from './hub.js';
import { hubTransports } from './hub-transports.js';
import { link } from './link.js';
import { log } from './log.js';
import { login } from './login.js';
import { mcpBridge } from './mcp-bridge.js';
import { mcpKitConfig } from './mcp-kit-config.js';
import { mcpx } from './mcpx.js';
import { newcomer } from './newcomer.js';
import { reliability } from './reliability.js';
import type { Ledger, Requirement } from './requirement.js';
import { sandbox } from './sandbox.js';
import { security } from './security.js';
import { server } from './server.js';
import { serverHardening } from './server-hardening.js';
import { serverMistakes } from './server-mistakes.js';
import { smcpGenerations } from './smcp-generations.js';
import { smcpMembers } from './smcp-members.js';
import { smcpProtocol } from './smcp-protocol.js';
import { toolChoice } from './tool-choice.js';
import { up } from './up.js';
import { vrl } from './vrl.js';
import { wire } from './wire.js';

const ledgers = [
  house,
  log,
  smcpProtocol,
  vrl,
  sandbox,
  wire,
  server,
  serverHardening,
  serverMistakes,
  link,
  agent,
  a2cComputerConfig,
  computer,
  mcpKitConfig,
  config,
  hub,
  hubTransports,
  login,
  mcpx,
  mcpBridge,
  toolChoice,
  up,
  newcomer,
  smcpMembers,
  security,
  smcpGenerations,
  console,
  reliability,
] as const satisfies readonly Ledger[];

type IdsOf<L extends Ledger> = L extends Ledger ? Extract<keyof L['requirements'], string> : never;

export type RequirementId = IdsOf<(typeof ledgers)[number]>;

export interface LedgerEntry extends Requirement {
  readonly id: RequirementId;
  readonly document: string;
}

export const requirements: readonly LedgerEntry[] = ledgers.flatMap(({ document, requirements }) =>
  Object.entries<Requirement>(requirements).map(([id, requirement]) => ({
    ...requirement,
    id: id as RequirementId,
    document,
  })),
);
