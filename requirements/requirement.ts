/** A package, or `house` for the repository as a whole, whose tests are in `tests/`. */
export type Owner =
  | 'house'
  | 'protocol'
  | 'log'
  | 'link'
  | 'config'
  | 'vrl'
  | 'sandbox'
  | 'login'
  | 'hub'
  | 'computer'
  | 'server'
  | 'agent'
  | 'proxy'
  | 'console'
  | 'cli';

export interface Requirement {
  /** The section of the document that contains the requirement. */
  readonly section: string;
  /** One sentence: the observable behaviour. */
  readonly behaviour: string;
  /** The packages that must meet the requirement. Each existing one must have a test that is bound to it. */
  readonly owedBy: readonly [Owner, ...Owner[]];
}

/** The requirements of one document. */
export interface Ledger {
  readonly document: string;
  readonly requirements: Readonly<Record<string, Requirement>>;
}
