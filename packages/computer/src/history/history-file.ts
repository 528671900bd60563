import { RecordFile, type RecordFileOptions } from '@a2c/log';
import type { ToolCallRecord } from './call-history.js';

/** Where the history is written, and when its file is rotated. */
export type HistoryFileOptions = Pick<RecordFileOptions, 'path' | 'maxBytes' | 'maxFiles'>;

/** The history of tool calls as a file. A record that cannot be written is reported; the call itself does not fail. */
export class HistoryFile extends RecordFile<ToolCallRecord> {
  constructor(options: HistoryFileOptions, onError: (error: Error) => void) {
    super({ ...options, onError });
  }
}
