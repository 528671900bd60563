export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

/** What the shell says, in every language it speaks. `{name}` is filled in. */
const MESSAGES = {
  banner: ["Enter interactive mode, type 'help' for commands", '进入交互模式，输入 help 查看命令'],
  bye: ['Bye', 'Bye'],
  failed: ['Failed: {reason}', '执行失败: {reason}'],
  interrupted: ['interrupted; what was begun may go on', '已中断；已开始的操作可能仍在进行'],
  unknownCommand: ['Unknown command: {name}', '未知命令: {name}'],
  unknownSubcommand: ['Unknown subcommand: {name}; there are: {known}', '未知子命令: {name}；可用: {known}'],
  didYouMean: ['did you mean "{name}"?', '是否想输入 "{name}"？'],
  usage: ['Usage: {usage}', '用法: {usage}'],
  commands: ['Commands', '可用命令'],
  command: ['Command', '命令'],
  meaning: ['Meaning', '说明'],
  notFound: ['Not found: {id}', '不存在的 id: {id}'],
  badJson: ['not JSON: {reason}', '不是 JSON: {reason}'],
  loadedInputs: ['Inputs loaded', '已加载 Inputs 配置'],
  loadedServers: ['Servers loaded', '已加载 Servers 配置'],
  starting: ['starting servers: {done}/{all} {waiting}', '正在启动服务器: {done}/{all} {waiting}'],

  notConnectedYet: ['SocketIO: Not connected yet', 'SocketIO: 目前尚未连接'],
  office: ['Office', '房间'],
  clientId: ['Client id', '客户端 ID'],
  computer: ['Computer', '计算机'],
  socketState: ['SocketIO', 'SocketIO'],
  serversStatus: ['MCP Servers Status', 'MCP 服务器状态'],
  tools: ['Tools', '工具列表'],
  name: ['Name', '名称'],
  active: ['Active', '活动'],
  state: ['State', '状态'],
  type: ['Type', '类型'],
  disabled: ['Disabled', '禁用'],
  description: ['Description', '描述'],
  server: ['Server', '服务器'],
  note: ['Note', '备注'],
  jsonReturn: ['Json Return', 'JSON 返回'],
  yes: ['Yes', '是'],
  no: ['No', '否'],
  none: ['(none)', '（无）'],

  serverAdded: ['Server config added/updated', '服务器配置已添加/更新'],
  serverAddedStarting: ['Server config added/updated and starting', '服务器配置已添加/更新并正在启动'],
  serverAddFailed: ['Failed to add/update server: {reason}', '添加/更新服务器失败: {reason}'],
  serverAddOne: [
    'server add expects a single object; add the entries of an array one by one',
    'server add 期望单对象；文件为数组请逐条添加',
  ],
  removedConfig: ['Removed', '已移除配置'],
  allStarted: ['All servers started', '所有服务器启动完成'],
  serverStarted: ["Server '{name}' started", "服务器 '{name}' 启动完成"],
  startFailed: ['Failed to start server: {reason}', '启动服务器失败: {reason}'],
  allStopped: ['All servers stopped', '所有服务器停止完成'],
  serverStopped: ["Server '{name}' stopped", "服务器 '{name}' 停止完成"],
  stopFailed: ['Failed to stop server: {reason}', '停止服务器失败: {reason}'],

  inputsUpdated: ['Inputs updated', 'Inputs 已更新'],
  inputsNeedArray: [
    'inputs load expects a file with an array of inputs; use "inputs add" for a single one',
    'inputs load 需要数组；单个对象请使用 inputs add',
  ],
  inputAdded: ['Input(s) Added/Updated', 'Input(s) 已添加/更新'],
  removed: ['Removed', '已移除'],
  valueNotResolved: ['Not found or not resolved yet: {id}', '未找到或尚未解析: {id}'],
  valueSet: ['Set', '已设置'],
  usingDefault: ['Using default value: {value}', '使用 default 值: {value}'],
  commandHasNoDefault: ['{id} is command type, no default support', '{id} 是 command 类型，不支持 default 值'],
  hasNoDefault: ['{id} has no default value', '{id} 没有 default 值'],
  valueRemoved: ['Removed', '已删除'],
  noSuchCache: ['No such cache: {id}', '无此缓存: {id}'],
  cacheCleared: ['Cache cleared', '缓存已清理'],

  desktopFailed: ['Failed to get desktop: {reason}', '获取桌面失败: {reason}'],

  connected: ['Connected', '已连接'],
  connectedByOptions: ['Connected via CLI options', '已通过启动参数连接到 Socket.IO'],
  alreadyConnected: ['Already connected', '已连接，请先断开'],
  urlRequired: ['URL required', 'URL 不能为空'],
  connectFirst: ['Connect first', '请先连接'],
  notConnected: ['Not connected', '未连接'],
  joined: ['Joined office', '已加入房间'],
  joinFailed: ['Failed to join office: {reason}', '加入房间失败: {reason}'],
  left: ['Left office', '已离开房间'],
  notInOffice: ['Not in any office', '未加入房间'],
  disconnected: ['Disconnected', '已断开连接'],
  notified: ['Update notification emitted', '已触发配置更新通知'],
  notifySkipped: ['Not connected, skip', '未连接 Socket.IO，已跳过'],
  notifyOutside: ['Not in any office, skip', '未加入房间，已跳过'],

  askAuth: ['Auth (key:value, may be empty): ', 'Auth (key:value, 可留空): '],
  askHeaders: ['Headers (key:value, may be empty): ', 'Headers (key:value, 可留空): '],
  pleaseInput: ['please input {id}', '请输入 {id}'],
  withDefault: ["[default: '{value}'] ", "[默认: '{value}'] "],
  pickHint: ['arrow keys or a number, then Enter', '方向键或序号选择，回车确认'],
  confirmTitle: ['A tool wants to run', '工具调用确认'],
  confirmAgent: ['asked by', '请求方'],
  confirmHere: ['this shell', '本终端'],
  confirmTool: ['tool', '工具'],
  confirmArguments: ['arguments', '参数'],
  confirmHints: ['hints', '提示'],
  charactersLeftOut: ['{count} characters left out', '省略 {count} 个字符'],
  hintReadOnly: ['read-only', '只读'],
  hintDestructive: ['may destroy data', '可能破坏数据'],
  hintOpenWorld: ['reaches the outside world', '访问外部系统'],
  hintIdempotent: ['safe to repeat', '可重复执行'],
  hintNone: ['its server says nothing about its effects', '服务器未说明其影响'],
  confirmQuestion: ['Run it? yes / no / always for this tool: ', '是否执行？是 / 否 / 总是（此工具）: '],

  help_help: ['this list', '显示本列表'],
  help_status: ['the connection and the servers', '连接与服务器状态'],
  help_tools: ['the tools, or one of them in full', '工具列表，或某个工具的详情'],
  help_mcp: ['the present servers and inputs', '当前内存配置快照（servers + inputs）'],
  help_serverAdd: ['add or update one server', '添加或更新 1 个服务器配置'],
  help_serverRm: ['remove a server', '移除服务器'],
  help_start: ['start a server or all', '启动服务器'],
  help_stop: ['stop a server or all', '停止服务器'],
  help_inputsLoad: ['replace all inputs from a file (array)', '从文件加载 inputs（需要数组）'],
  help_inputsAdd: ['add or update inputs (object or array)', '添加/更新 inputs（单对象或数组）'],
  help_inputsUpdate: ['the same as inputs add', '同 inputs add'],
  help_inputsRm: ['remove an input', '移除 input 定义'],
  help_inputsGet: ['show an input', '查看 input 定义'],
  help_inputsList: ['show all inputs', '列出 inputs 定义'],
  help_valueList: ['show the values inputs have so far', '列出已解析的值'],
  help_valueGet: ['show the value of an input', '查看某个值'],
  help_valueSet: ['set a value; without one, the default', '设置值；省略时使用 default'],
  help_valueRm: ['forget a value', '删除某个值'],
  help_valueClear: ['forget all values, or one', '清理全部或指定的值'],
  help_desktop: ['the windows as an Agent sees them', '查看桌面'],
  help_history: ['the last tool calls', '最近的工具调用'],
  help_tc: ['call a tool (a tool call request as JSON)', '以 JSON 请求调用工具'],
  help_render: ['fill in the placeholders of a JSON value', '渲染 JSON 中的占位符'],
  help_socketConnect: ['connect to a signalling server', '连接信令服务器'],
  help_socketJoin: ['join an office', '加入房间'],
  help_socketLeave: ['leave the office', '离开房间'],
  help_socketDisconnect: ['hang up', '断开连接'],
  help_notifyUpdate: ['tell Agents that the configuration changed', '通知 Agent 配置已更新'],
  help_quit: ['end', '退出'],
} as const satisfies Record<string, readonly [en: string, zh: string]>;

export type MessageKey = keyof typeof MESSAGES;
export type Say = (key: MessageKey, values?: Readonly<Record<string, string | number>>) => string;

export function speaker(language: Language): Say {
  const index = LANGUAGES.indexOf(language);
  return (key, values = {}) =>
    (MESSAGES[key][index] ?? '').replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The language of the locale; English where it is none of ours. */
export function languageOf(env: NodeJS.ProcessEnv): Language {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return /^zh/i.test(locale) ? 'zh' : 'en';
}
