import type { StandardSchemaV1 } from '@modelcontextprotocol/client';

/**
 * The SDK's own schemas reject whole lists for one odd tool, and results for one unknown block; they also strip what they
 * do not know. This one passes every result object on as it came.
 */
export const LOOSE_RESULT: StandardSchemaV1<unknown, Record<string, unknown>> = {
  '~standard': {
    version: 1,
    vendor: 'a2c',
    validate: (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? { value: value as Record<string, unknown> }
        : { issues: [{ message: 'expected an object' }] },
  },
};
