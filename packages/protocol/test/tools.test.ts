import {
  displayName,
  META_KEYS,
  mergeToolMeta,
  parseAnswer,
  readToolAnnotations,
  readToolMeta,
  readToolServer,
  type ToolMeta,
  toSMCPTool,
  wireToolMeta,
} from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';

const TOOL = { name: 'search', description: 'Finds things', inputSchema: { type: 'object' as const } };

describe('an MCP tool on the wire', () => {
  verifies('WIRE-TOOL-01', 'the alias is the name, or the original name without one', () => {
    expect(toSMCPTool(TOOL, { alias: 'web_search' }).name).toBe('web_search');
    for (const meta of [undefined, {}, { alias: null }, { alias: '' }]) {
      expect(toSMCPTool(TOOL, meta as never).name).toBe('search');
      expect(displayName(TOOL, meta as never)).toBe('search');
    }
  });

  verifies('WIRE-TOOL-02', 'values that are not scalars become JSON text', () => {
    const _meta = { s: 'x', n: 1.5, b: false, nul: null, list: ['a'], obj: { k: [1] }, nan: Number.NaN };
    expect(toSMCPTool({ ...TOOL, _meta }).meta).toEqual({
      s: 'x',
      n: 1.5,
      b: false,
      nul: 'null',
      list: '["a"]',
      obj: '{"k":[1]}',
      nan: 'null',
    });
  });

  verifies('WIRE-TOOL-03', 'tool meta and annotations are sent as JSON text and read back', () => {
    const tool = toSMCPTool(
      { ...TOOL, annotations: { readOnlyHint: true } },
      { tags: ['web'], auto_apply: true, team: 'x' },
    );
    expect(tool.meta).toEqual({
      a2c_tool_meta: '{"auto_apply":true,"alias":null,"tags":["web"],"ret_object_mapper":null,"team":"x"}',
      MCP_TOOL_ANNOTATION:
        '{"title":null,"readOnlyHint":true,"destructiveHint":null,"idempotentHint":null,"openWorldHint":null}',
    });
    expect(readToolMeta(tool)).toMatchObject({ tags: ['web'], auto_apply: true, team: 'x' });
    expect(readToolAnnotations(tool)).toMatchObject({ readOnlyHint: true });
    for (const broken of ['{', '[]', 'null', 7]) {
      expect(readToolMeta({ meta: { a2c_tool_meta: broken } })).toBeUndefined();
    }
    expect(toSMCPTool(TOOL).meta).toEqual({});
    const forged = { a2c_tool_meta: { auto_apply: true }, MCP_TOOL_ANNOTATION: '{"readOnlyHint":true}', own: 1 };
    const listed = toSMCPTool({ ...TOOL, _meta: forged });
    expect(listed.meta).toMatchObject({ own: 1 });
    expect(listed.meta).not.toHaveProperty('MCP_TOOL_ANNOTATION');
    expect(readToolMeta(listed)).toEqual({ auto_apply: null, alias: null, tags: null, ret_object_mapper: null });
  });

  verifies('MEM-TAGS-01', 'tags of the MCP server are used where the owner sets none', () => {
    const tags = (declared: unknown, own?: ToolMeta) =>
      readToolMeta(toSMCPTool({ ...TOOL, _meta: { a2c_tool_meta: declared } }, own))?.tags;
    const declared = { tags: ['theirs'], auto_apply: true, alias: 'forged' };
    expect(tags(declared)).toEqual(['theirs']);
    expect(tags(declared, { tags: ['ours'] })).toEqual(['ours']);
    expect(tags(declared, { tags: null, auto_apply: false })).toEqual(['theirs']);
    expect(tags(declared, { tags: [] })).toEqual([]);
    expect(toSMCPTool({ ...TOOL, _meta: { a2c_tool_meta: declared } }).name).toBe('search');
    for (const malformed of [null, 7, { tags: 'x' }, { tags: [1] }, { tags: null }]) {
      expect(toSMCPTool({ ...TOOL, _meta: { a2c_tool_meta: malformed } }).meta).toEqual({});
      expect(tags(malformed, { tags: ['ours'] })).toEqual(['ours']);
    }
  });

  verifies('WIRE-TOOL-03', 'the metadata keys are those of every peer', () => {
    expect(META_KEYS).toEqual({
      toolMeta: 'a2c_tool_meta',
      vrlTransformed: 'a2c_vrl_transformed',
      toolAnnotation: 'MCP_TOOL_ANNOTATION',
      toolServer: 'a2c_server',
      cancelled: 'a2c_cancelled',
      cancelReason: 'a2c_cancel_reason',
      timeout: 'a2c_timeout',
      errorCode: 'error_code',
      error: 'a2c_error',
      reason: 'a2c_reason',
      execution: 'a2c_execution',
      mcpServer: 'mcp_server',
      authHint: 'auth_hint',
      blobHandle: 'a2c_blob_handle',
      totalSize: 'a2c_total_size',
      sha256: 'a2c_sha256',
      inputKey: 'a2c_input_key',
    });
  });

  verifies('WIRE-TOOL-07', 'a tool names its MCP server, and only the Computer can set it', () => {
    const listed = toSMCPTool({ ...TOOL, _meta: { a2c_server: 'forged' } }, undefined, 'web');
    expect(listed.meta).toEqual({ a2c_server: 'web' });
    expect(readToolServer(listed)).toBe('web');
    expect(toSMCPTool({ ...TOOL, _meta: { a2c_server: 'forged' } }).meta).toEqual({});
    for (const foreign of [{}, { a2c_server: '' }, { a2c_server: 7 }]) {
      expect(readToolServer({ meta: foreign })).toBeUndefined();
    }
  });

  verifies(
    'WIRE-TOOL-04',
    'return_schema and description are always present, and our lists are read back unchanged',
    () => {
      const bare = toSMCPTool({ name: 't', inputSchema: { type: 'object' } });
      expect(bare).toEqual({
        name: 't',
        description: '',
        params_schema: { type: 'object' },
        return_schema: null,
        meta: {},
      });
      const full = toSMCPTool({ ...TOOL, outputSchema: { type: 'object' } }, { alias: 'a' });
      expect(full.return_schema).toEqual({ type: 'object' });
      expect(parseAnswer('client:get_tools', [{ tools: [bare, full], req_id: 'r' }]).tools).toEqual([bare, full]);
    },
  );
});

describe('default and own tool meta', () => {
  verifies('WIRE-TOOL-05', 'own fields take precedence, null is ignored, lists and objects are replaced', () => {
    const fallback = { tags: ['browser'], auto_apply: true };
    expect(mergeToolMeta(fallback, { auto_apply: false })).toEqual({ tags: ['browser'], auto_apply: false });
    expect(mergeToolMeta(fallback, { tags: ['browser', 'capture'], ret_object_mapper: { a: 'b' } })).toEqual({
      tags: ['browser', 'capture'],
      auto_apply: true,
      ret_object_mapper: { a: 'b' },
    });
    expect(mergeToolMeta(fallback, { tags: null, alias: 'x', extra: 1 })).toEqual({
      ...fallback,
      alias: 'x',
      extra: 1,
    });
    expect(mergeToolMeta(fallback, undefined)).toEqual(fallback);
    expect(mergeToolMeta(null, { alias: 'x' })).toEqual({ alias: 'x' });
    expect(mergeToolMeta(null, undefined)).toBeUndefined();
  });

  verifies('WIRE-TOOL-05', 'a default alias is ignored', () => {
    expect(mergeToolMeta({ alias: 'same', auto_apply: true }, undefined)).toEqual({ auto_apply: true });
    expect(wireToolMeta({ auto_apply: true })).toEqual({
      auto_apply: true,
      alias: null,
      tags: null,
      ret_object_mapper: null,
    });
  });
});
