export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * The messages of the shell in every language. `{name}` is replaced by a value. Messages of the published shell keep
 * their text, because scripts compare it.
 */
const MESSAGES = {
  banner: ["Enter interactive mode, type 'help' for commands", '进入交互模式，输入 help 查看命令'],
  bye: ['Bye', 'Bye'],
  console: ['Console: {link}', '控制台: {link}'],
  failed: ['Failed: {reason}', '执行失败: {reason}'],
  interrupted: ['Interrupted; the operation may continue in the background', '已中断；操作可能仍在后台继续'],
  unknownCommand: ['Unknown command: {name}', '未知命令: {name}'],
  unknownSubcommand: ['Unknown subcommand: {name}; available: {known}', '未知子命令: {name}；可用: {known}'],
  missingSubcommand: ['{path}: missing subcommand; available: {known}', '{path}: 缺少子命令；可用: {known}'],
  didYouMean: ['did you mean "{name}"?', '您是不是要输入 "{name}"？'],
  usage: ['Usage: {usage}', '用法: {usage}'],
  commands: ['Commands', '可用命令'],
  command: ['Command', '命令'],
  meaning: ['Meaning', '说明'],
  notFound: ['Not found: {id}', '不存在的 id: {id}'],
  badJson: ['not JSON: {reason}', '不是有效的 JSON: {reason}'],
  expected: ['; expected {example}', '；应为 {example}'],
  loadedInputs: ['Inputs loaded', '已加载 Inputs 配置'],
  loadedServers: ['Servers loaded', '已加载 Servers 配置'],
  starting: ['starting servers: {done}/{all} {waiting}', '正在启动服务器: {done}/{all} {waiting}'],
  startingInterrupt: ['; Ctrl-C opens the prompt', '；按 Ctrl-C 进入命令行'],

  notConnectedYet: ['SocketIO: Not connected yet', 'SocketIO: 目前尚未连接'],
  office: ['Office', '房间'],
  clientId: ['Client id', '客户端 ID'],
  computer: ['Computer', '计算机'],
  socketState: ['SocketIO', 'SocketIO'],
  serversStatus: ['MCP Servers Status', 'MCP 服务器状态'],
  tools: ['Tools', '工具列表'],
  name: ['Name', '名称'],
  active: ['Active', '运行中'],
  state: ['State', '状态'],
  type: ['Type', '类型'],
  disabled: ['Disabled', '禁用'],
  description: ['Description', '描述'],
  server: ['Server', '服务器'],
  note: ['Note', '备注'],
  source: ['Source', '来源'],
  tags: ['Tags', '标签'],
  jsonReturn: ['Json Return', 'JSON 返回'],
  yes: ['Yes', '是'],
  no: ['No', '否'],
  none: ['(none)', '（无）'],

  serverAdded: ['Server config added/updated', '服务器配置已添加/更新'],
  serverAddedStarting: ['Server config added/updated and starting', '服务器配置已添加/更新并正在启动'],
  serverAddFailed: ['Failed to add/update server: {reason}', '添加/更新服务器失败: {reason}'],
  serverAddOne: [
    'server add expects a single object; add the entries of an array one by one',
    'server add 只接受单个对象；数组请逐条添加',
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
  inputCancelled: ['the question for input {id} was cancelled', '已取消输入 {id}'],
  notAnOption: ['{id} must be one of: {options}', '{id} 必须是以下之一: {options}'],
  withDefault: ["[default: '{value}'] ", "[默认: '{value}'] "],
  pickHint: ['Choose with arrow keys or a number, then Enter', '用方向键或序号选择，回车确认'],
  confirmTitle: ['Tool call needs consent', '工具调用需要确认'],
  confirmAgent: ['requested by', '请求方'],
  confirmHere: ['this shell', '本终端'],
  confirmTool: ['tool', '工具'],
  confirmArguments: ['arguments', '参数'],
  confirmHints: ['hints', '提示'],
  charactersLeftOut: ['{count} characters left out', '省略 {count} 个字符'],
  hintReadOnly: ['read-only', '只读'],
  hintDestructive: ['may destroy data', '可能破坏数据'],
  hintOpenWorld: ['accesses external systems', '访问外部系统'],
  hintIdempotent: ['idempotent', '可安全重复执行'],
  hintNone: ['none given by the server', '服务器未提供'],
  confirmQuestion: ['Run it? yes / no / always for this tool: ', '是否执行？是 / 否 / 总是（此工具）: '],

  confirmExpired: ['The question expired: the call ended without an answer', '确认已过期：调用在得到答复前已结束'],

  loginOpened: [
    'Log in with the browser. If it did not open, use this address:',
    '请在浏览器中登录。如果浏览器没有打开，请访问：',
  ],
  loginOpen: ['Open this address to log in:', '请打开以下地址登录：'],
  loginCode: ['Open this address and enter or compare the code {code}:', '请打开以下地址，输入或核对代码 {code}：'],
  loginPaste: ['Paste the address that the browser shows at the end: ', '请粘贴浏览器最后显示的完整地址: '],
  loginDone: ['logged in to {name}', '已登录 {name}'],
  loginFailed: ['the login failed: {reason}', '登录失败: {reason}'],
  logoutDone: ['logged out of {name}', '已退出 {name}'],
  logoutNone: ['there is no login to {name}', '{name} 没有已保存的登录'],

  callDenied: ['the user of the Computer denied this call', '该 Computer 的用户拒绝了此次调用'],
  callConsentTimeout: [
    'this tool needs consent, and none was given in time',
    '此工具需要用户确认，但在时限内未得到答复',
  ],
  callConsentUnavailable: [
    'this tool needs consent, and this Computer cannot ask for it',
    '此工具需要用户确认，但该 Computer 无法询问用户',
  ],
  callConsentFailed: ['asking for consent failed', '请求用户确认时出错'],
  callNotBooted: ['the Computer has not started its MCP servers yet', '该 Computer 尚未启动 MCP 服务器'],
  callTimedOut: ['the call timed out', '调用超时'],
  callFailed: ['the call failed: {reason}', '调用失败: {reason}'],
  withRemedy: ['{explanation}; {remedy}', '{explanation}；{remedy}'],
  remedyConfirmAllow: ['restart the Computer with --confirm allow', '可使用 --confirm allow 重新启动 Computer'],
  remedyTimeout: ['use a longer --timeout', '可用 --timeout 延长时限'],

  help_help: ['show this list, or one command', '显示本列表，或某个命令'],
  help_status: [
    'show the connection and the MCP servers, or one in detail',
    '显示连接与 MCP 服务器状态，或某个服务器的详情',
  ],
  help_tools: ['list the tools, or show one in detail', '列出工具，或显示某个工具的详情'],
  help_mcp: ['show the current configuration (servers and inputs)', '显示当前配置（servers 与 inputs）'],
  help_serverAdd: ['add or update a server', '添加或更新一个服务器'],
  help_serverRm: ['remove a server', '移除服务器'],
  help_start: ['start a server, or all', '启动一个或全部服务器'],
  help_stop: ['stop a server, or all', '停止一个或全部服务器'],
  help_restart: ['stop and start a server', '重新启动服务器'],
  help_login: ['log in to a server that needs it', '登录需要授权的服务器'],
  help_logins: ['list the logins and where they are stored', '列出已保存的登录及其存放位置'],
  help_logout: ['delete the login to a server', '退出登录并删除已保存的凭据'],
  help_inputsLoad: ['replace all inputs by those of a file (array)', '用文件中的 inputs 替换全部（数组）'],
  help_inputsAdd: ['add or update inputs (object or array)', '添加或更新 inputs（对象或数组）'],
  help_inputsUpdate: ['same as inputs add', '同 inputs add'],
  help_inputsRm: ['remove an input', '移除一个 input'],
  help_inputsGet: ['show an input', '显示一个 input'],
  help_inputsList: ['list all inputs', '列出全部 inputs'],
  help_valueList: ['list the cached values of inputs', '列出 inputs 的缓存值'],
  help_valueGet: ['show the cached value of an input', '显示某个 input 的缓存值'],
  help_valueSet: ['set a value (without one: the default)', '设置值（省略时使用默认值）'],
  help_valueRm: ['remove a cached value', '删除某个缓存值'],
  help_valueClear: ['remove all cached values, or one', '清除全部或某个缓存值'],
  help_skills: ['list the skills that Agents can read', '列出 Agent 可读取的技能'],
  help_skill: ['print a file of a skill as an Agent reads it', '按 Agent 读取的方式显示技能中的文件'],
  help_desktop: ['show the windows as an Agent sees them', '显示 Agent 看到的窗口'],
  help_history: ['show recent tool calls', '显示最近的工具调用'],
  help_tc: ['call a tool with arguments, or a tool call request as JSON', '调用工具：给出参数，或 JSON 格式的请求'],
  help_render: ['resolve the placeholders in a JSON value', '解析 JSON 中的占位符'],
  help_socketConnect: ['connect to a signalling server', '连接信令服务器'],
  help_socketJoin: ['join an office', '加入房间'],
  help_socketLeave: ['leave the office', '离开房间'],
  help_socketDisconnect: ['disconnect', '断开连接'],
  help_notifyUpdate: ['notify Agents of a changed configuration', '通知 Agent 配置已更新'],
  help_quit: ['exit', '退出'],
} as const satisfies Record<string, readonly [en: string, zh: string]>;

export type MessageKey = keyof typeof MESSAGES;
export type Say = (key: MessageKey, values?: Readonly<Record<string, string | number>>) => string;

/** Returns the function that formats messages in this language. */
export function translator(language: Language): Say {
  const index = LANGUAGES.indexOf(language);
  return (key, values = {}) =>
    (MESSAGES[key][index] ?? '').replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The language of the locale; English where it is not supported. */
export function languageOf(env: NodeJS.ProcessEnv): Language {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return /^zh/i.test(locale) ? 'zh' : 'en';
}
