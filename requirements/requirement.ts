/** The rooms of the house, plus the house itself, whose tests stand in `tests/`. */
export type Owner =
  | 'house'
  | 'protocol'
  | 'config'
  | 'vrl'
  | 'sandbox'
  | 'hub'
  | 'computer'
  | 'server'
  | 'agent'
  | 'proxy'
  | 'console'
  | 'cli';

export interface Requirement {
  /** The section of the ledger's document that asks for it. */
  readonly section: string;
  /** One sentence: what can be observed. */
  readonly behaviour: string;
  /** Every package named here must have a test of its own bound to the requirement, from the day it exists. */
  readonly owedBy: readonly [Owner, ...Owner[]];
}

/** The requirements that come from one document. */
export interface Ledger {
  readonly document: string;
  readonly requirements: Readonly<Record<string, Requirement>>;
}
