export { createLogger, type Logger } from './logger.js';
export { RecordFile, type RecordFileOptions } from './record-file.js';
