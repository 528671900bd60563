export { type LedgerEntry, type RequirementId, requirements } from './ledgers.js';
export { protocolTopics } from './protocol-topics.js';
export type { Owner, Requirement } from './requirement.js';
export { verifies } from './verifies.js';
