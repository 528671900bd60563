import { isDeeperThan, isRecord, MAX_ANSWER_DEPTH } from '@a2c/protocol';
import type { StandardSchemaV1 } from '@modelcontextprotocol/client';

/**
 * Accepts every result object and returns it unchanged. The SDK's own schemas reject a whole list for one invalid tool,
 * and remove unknown fields. A result that nests too deeply is rejected: it could be parsed but not serialised again.
 */
export const ANY_RESULT: StandardSchemaV1<unknown, Record<string, unknown>> = {
  '~standard': {
    version: 1,
    vendor: 'a2c',
    validate: (value) => {
      if (!isRecord(value)) return { issues: [{ message: 'expected an object' }] };
      if (!isDeeperThan(value, MAX_ANSWER_DEPTH)) return { value };
      return { issues: [{ message: `it is nested deeper than ${MAX_ANSWER_DEPTH} levels` }] };
    },
  },
};
