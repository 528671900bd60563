import { language } from './settings.js';

/** All texts of the page, in English and Chinese. `{name}` is replaced by a value. */
const TEXTS = {
  title: ['a2c console', 'a2c 控制台'],
  tagline: ['One computer for AI agents', 'AI 智能体的一台计算机'],
  skip: ['Skip to content', '跳到正文'],
  navigation: ['Views', '视图'],
  overview: ['Overview', '概览'],
  offices: ['Offices', '房间'],
  calls: ['Calls', '调用'],
  computer: ['Computer', '计算机'],
  tools: ['Tools', '工具'],
  desktop: ['Desktop', '桌面'],
  context: ['Context', '上下文'],
  theme: ['Theme', '主题'],
  themeAuto: ['Auto', '自动'],
  themeLight: ['Light', '浅色'],
  themeDark: ['Dark', '深色'],
  language: ['Language', '语言'],

  connecting: ['Connecting', '正在连接'],
  live: ['Live', '实时'],
  lost: ['Connection lost; reconnecting', '连接已断开，正在重连'],
  full: ['Too many pages of the console are open; close one', '打开的控制台页面过多，请关闭其他页面'],
  foreign: ['Another program answers at this address; waiting for a2c', '此地址由其他程序应答，正在等待 a2c'],
  foreignText: [
    'This program could not prove that it is the a2c where you logged in, so that this page sends it nothing. The page goes on when a2c answers again. If a2c runs here and does not know this session any more, open its new link, or forget the session. Then do not enter a key until you are sure that a2c has this address.',
    '该程序无法证明自己是您登录过的 a2c，因此本页面不会向它发送任何内容。a2c 恢复应答后，页面会自动继续。如果此处运行的确实是 a2c，只是它不再认识此会话，请打开新的链接，或忘记此会话。忘记之后，请先确认占用此地址的是 a2c，再输入密钥。',
  ],
  forgetSession: ['Forget this session', '忘记此会话'],
  insecureTitle: ['This connection is not safe', '连接不安全'],
  insecure: [
    'The connection is not encrypted. Open the console with https, or on the machine of a2c with 127.0.0.1.',
    '连接未加密。请使用 https，或在运行 a2c 的机器上通过 127.0.0.1 打开控制台。',
  ],
  refusedTitle: ['This page needs your link', '需要访问链接'],
  refusedText: [
    'Open the link that a2c printed in the terminal when it started. It contains a token for this start, so that no one else can use this page.',
    '请打开 a2c 启动时在终端中打印的链接。链接中包含本次启动的令牌，其他人无法使用此页面。',
  ],
  wrongLink: ['This link is wrong, or from an earlier start of a2c.', '链接有误，或来自 a2c 之前的某次启动。'],
  loggedOut: ['You are logged out.', '您已退出登录。'],
  refusedKey: ['Or log in with a key that has the operator right:', '或使用具有操作员权限的密钥登录：'],
  key: ['API key', 'API 密钥'],
  logIn: ['Log in', '登录'],
  logOut: ['Log out', '退出登录'],

  overviewLead: [
    'a2c puts all your MCP servers behind one address. An agent calls a tool; the server relays the call to this computer, which runs it and sends the result back.',
    'a2c 将您的所有 MCP 服务器置于一个地址之后。智能体发起工具调用，信令服务器将其转发到这台计算机，由计算机执行并返回结果。',
  ],
  pathAgents: ['Agents', '智能体'],
  pathAgentsText: ['discover and call tools', '发现并调用工具'],
  pathServer: ['Server', '信令服务器'],
  pathServerText: ['relays within an office', '在房间内转发'],
  pathComputer: ['Computer', '计算机'],
  pathComputerText: ['asks you, then runs the call', '征得您的同意后执行'],
  pathServers: ['MCP servers', 'MCP 服务器'],
  mcpServer: ['MCP server', 'MCP 服务器'],
  pathServersText: ['provide the tools', '提供工具'],
  noneYet: ['none yet', '暂无'],
  noneNow: ['none now', '当前没有'],
  count_offices: ['connections', '连接数'],
  count_calls: ['calls since the start', '启动以来的调用数'],
  count_computer: ['MCP servers', 'MCP 服务器数'],
  count_tools: ['tools', '工具数'],
  countTools: ['{count} tools', '{count} 个工具'],
  countReady: ['{ready} of {all} ready', '{ready}/{all} 就绪'],
  countMembers: ['{count} connected', '{count} 个连接'],
  notConnected: ['not connected', '未连接'],

  stepsTitle: ['Try it in a minute', '一分钟上手'],
  stepsHide: ['Hide', '隐藏'],
  step1: ['Run a tool yourself', '亲自运行一个工具'],
  step1Text: ['Choose a tool, fill in its form, press Run.', '选择工具，填写表单，点击运行。'],
  step1Link: ['Open Tools', '打开工具'],
  step2: ['Call it as an agent', '以智能体身份调用'],
  step2Text: [
    'Run this in another terminal, in the same folder. The call arrives here and waits until you allow it.',
    '在另一个终端的同一目录中运行此命令。调用会出现在这里，并等待您的允许。',
  ],
  step2Link: ['Open Calls', '打开调用'],
  step3: ['Add your own MCP servers', '添加您自己的 MCP 服务器'],
  step3Text: [
    'Paste the mcp.json of any client. Calls of their tools ask for your consent here.',
    '粘贴任意客户端的 mcp.json。其工具的调用会在此处请求您的同意。',
  ],
  step3Link: ['Add a server', '添加服务器'],
  done: ['done', '已完成'],
  attention: ['Needs attention', '需要处理'],
  attentionNone: ['Nothing needs your attention.', '没有需要处理的事项。'],
  recentCalls: ['Recent calls', '最近的调用'],
  showAll: ['Show all', '查看全部'],
  noCallsYet: [
    'No call yet. Calls of agents and of this page appear here as they happen.',
    '尚无调用。智能体和本页面的调用会实时显示在此处。',
  ],
  failedServer: ['{name} has failed', '{name} 启动失败'],
  missingInput: ['The input {id} has no value', '输入 {id} 没有值'],
  needsLogin: ['{name} needs a login', '{name} 需要登录'],
  changedTools: [
    '{name}: {count} tools changed since you approved them',
    '{name}：自您批准后有 {count} 个工具发生变化',
  ],

  officesLead: [
    'An office is a room of the signalling server. Its members see and call only each other.',
    '房间是信令服务器中的隔离空间，成员只能看到并调用同一房间的成员。',
  ],
  officesEmpty: ['No one is connected', '没有任何连接'],
  officesEmptyText: [
    'Computers join with “a2c computer run --url … --office …”, agents with @a2c/agent or “a2c agent”.',
    '计算机通过 “a2c computer run --url … --office …” 加入，智能体通过 @a2c/agent 或 “a2c agent” 加入。',
  ],
  office: ['Office', '房间'],
  noOffice: ['Connected, not in an office', '已连接，未加入房间'],
  agent: ['Agent', '智能体'],
  name: ['Name', '名称'],
  role: ['Role', '角色'],
  since: ['Since', '开始时间'],
  from: ['From', '来源'],
  identity: ['Identity', '身份'],
  generation: ['Protocol', '协议'],
  dialectSpec: ['event names of the document', '使用文档中的事件名'],
  roundTrip: ['Round trip', '往返'],
  undeclared: ['not declared', '未声明'],
  kick: ['Disconnect', '断开'],
  kickLabel: ['Disconnect {name}', '断开 {name}'],
  kickConfirm: ['Really disconnect {name}?', '确定断开 {name}？'],
  movements: ['Joins and leaves', '加入与离开'],
  movementsEmpty: ['Joins and leaves appear here as they happen.', '加入与离开会实时显示在此处。'],
  movedjoined: ['{name} joined {office}', '{name} 加入了 {office}'],
  movedleft: ['{name} left {office}', '{name} 离开了 {office}'],
  movedlost: ['{name} lost its connection to {office}', '{name} 与 {office} 的连接中断'],
  movedreplaced: ['{name} was replaced in {office}', '{name} 在 {office} 中被新连接取代'],
  refusals: ['Refusals', '拒绝记录'],
  refusalsEmpty: ['The server has refused nothing.', '服务器尚未拒绝任何请求。'],
  refusedConnect: ['{who} could not connect', '{who} 无法连接'],
  refusedJoin: ['{who} could not join an office', '{who} 无法加入房间'],
  refusedRequest: ['{who}: request {event} refused', '{who}：请求 {event} 被拒绝'],
  reasonUnauthorized: ['no valid key or token', '密钥或令牌无效'],
  reasonForbidden: ['not permitted for this identity', '该身份没有权限'],
  reasonTooMany: ['too many requests', '请求过于频繁'],
  reasonRoomFull: ['the office has an agent already', '房间内已有智能体'],
  limits: ['Limits', '限制'],

  callsLead: [
    'Every tool call, live: who called, what ran where, and how long each part took.',
    '实时显示每次工具调用：谁发起、在哪里执行、各环节耗时。',
  ],
  filter: ['Filter', '筛选'],
  filterCalls: ['Agent, computer, server, tool or error', '智能体、计算机、服务器、工具或错误'],
  stateAll: ['All', '全部'],
  stateRunning: ['Running', '运行中'],
  stateFailed: ['Failed', '失败'],
  pause: ['Pause', '暂停'],
  resume: ['Resume', '继续'],
  paused: ['Paused. {count} newer calls.', '已暂停，有 {count} 个新调用。'],
  countCalls: ['{count} calls', '{count} 次调用'],
  callsNoMatch: ['No call matches the filter.', '没有符合条件的调用。'],
  here: ['this console', '本控制台'],
  local: ['this machine', '本机'],
  running: ['running', '运行中'],
  asking: ['waits for consent', '等待同意'],
  ok: ['done', '完成'],
  failed: ['failed', '失败'],
  denied: ['denied', '已拒绝'],
  cancelled: ['cancelled', '已取消'],
  errorDenied: ['You or another person denied this call.', '您或其他人拒绝了此次调用。'],
  errorConsentTimeout: ['No one answered the question in time.', '未在时限内得到答复。'],
  errorConsentDisabled: [
    'The tool needs consent, and the Computer denies such calls without asking.',
    '工具需要同意，而计算机设置为不询问并拒绝此类调用。',
  ],
  errorConsentUnavailable: ['The tool needs consent, and no one could be asked.', '工具需要同意，但无法询问任何人。'],
  errorCancelled: ['The call was cancelled.', '调用已被取消。'],
  errorTimeout: ['The call took longer than its timeout.', '调用超过了时限。'],
  errorFailed: ['The tool reports a failure.', '工具报告失败。'],
  legFromAgent: ['from the agent', '来自智能体'],
  legToAgent: ['to the agent', '返回智能体'],
  legServer: ['Server', '信令服务器'],
  legServerText: ['checks and relays', '检查并转发'],
  legOut: ['to the computer', '发往计算机'],
  legConsent: ['Consent', '等待同意'],
  legPrepare: ['Computer', '计算机'],
  legRun: ['MCP server', 'MCP 服务器'],
  legBack: ['back to the server', '返回信令服务器'],
  legComputer: ['Computer and MCP server', '计算机与 MCP 服务器'],
  total: ['Total', '总计'],
  callDetail: ['Call', '调用详情'],
  cancel: ['Cancel', '取消'],
  close: ['Close', '关闭'],
  time: ['Time', '时间'],
  arguments: ['Arguments', '参数'],
  audit: ['Audit record', '审计记录'],
  requestSize: ['Request', '请求'],
  answerSize: ['Answer', '响应'],
  remedy: ['What to do:', '处理方法：'],
  chooseCall: ['Choose a call to see the time of each part.', '选择一次调用以查看各环节耗时。'],

  remedyToolTimeout: [
    'Give the call a longer timeout, or check whether the MCP server still answers.',
    '延长调用超时，或检查 MCP 服务器是否仍在响应。',
  ],
  remedyNotFound: [
    'Check the name. The computer may have left the office, or the tool may be gone or disabled: see the views Tools and Computer.',
    '请检查名称。计算机可能已离开房间，或工具已不存在、已禁用：请查看“工具”与“计算机”视图。',
  ],
  remedyTooManyRequests: [
    'The agent calls too fast. Raise the limit with --limit, or slow it down.',
    '智能体调用过快。可用 --limit 提高限制，或降低调用频率。',
  ],
  remedyOverloaded: [
    'Too many calls wait. Answer the open questions, or let the agent call more slowly.',
    '等待中的调用过多。请处理待确认的请求，或降低智能体的调用频率。',
  ],
  remedyDisabled: [
    'The configuration of the MCP server forbids it: see “disabled” and “forbidden_tools” in the view Computer.',
    '该 MCP 服务器的配置不允许此操作，请在“计算机”视图中检查 disabled 与 forbidden_tools。',
  ],
  remedyLogin: ['Log in to the MCP server in the view Computer.', '请在“计算机”视图中登录该 MCP 服务器。'],
  remedyArguments: [
    'Compare the arguments with the type of the tool in the view Tools.',
    '请在“工具”视图中对照该工具的类型定义检查参数。',
  ],
  remedyForbidden: [
    'The key of the agent does not allow this. Its owner can change the rights of the key.',
    '智能体的密钥没有此权限，可由密钥的所有者调整。',
  ],
  remedyDenied: [
    'Nothing was run. If it should run after all, let the agent call again and press “Allow once”.',
    '工具没有运行。如果需要运行，请让智能体再次调用，然后点击“允许一次”。',
  ],
  remedyConsentTimeout: [
    'Nothing was run. Let the agent call again and answer the question here in time, or set auto_apply for the tool in the view Computer.',
    '工具没有运行。请让智能体再次调用并及时在此处回答，或在“计算机”视图中为该工具设置 auto_apply。',
  ],
  remedyConsentUnavailable: [
    'Nothing was run, because no one could be asked. Start a2c without --confirm deny, or set auto_apply for the tool.',
    '由于无法询问用户，工具没有运行。请在启动 a2c 时去掉 --confirm deny，或为该工具设置 auto_apply。',
  ],
  cancelledBefore: ['The tool was not run.', '工具没有运行。'],
  cancelledRunning: ['The tool may have done a part of its work before that.', '在此之前工具可能已完成部分工作。'],
  remedyFailed: [
    'The tool ran and reported this itself. Correct the arguments, or ask the maker of the MCP server.',
    '工具已运行并自行报告了此失败。请修正参数，或联系该 MCP 服务器的开发者。',
  ],
  remedyOther: [
    'Look at the log of the MCP server in the view Computer.',
    '请在“计算机”视图中查看该 MCP 服务器的日志。',
  ],

  computerLead: [
    'The MCP servers that this computer runs for agents. Secrets stay here; agents never see them.',
    '这台计算机为智能体运行的 MCP 服务器。密钥只保存在本机，智能体永远看不到。',
  ],
  inOffice: ['in office {office} at {url}', '位于 {url} 的房间 {office}'],
  addServer: ['Add server', '添加服务器'],
  editServer: ['Edit {name}', '编辑 {name}'],
  serversEmpty: ['No MCP server yet', '尚无 MCP 服务器'],
  serversEmptyText: [
    'Add one with the form, or paste the mcp.json of Claude, Cursor or VS Code.',
    '通过表单添加，或粘贴 Claude、Cursor、VS Code 的 mcp.json。',
  ],
  statestarting: ['starting', '正在启动'],
  stateready: ['ready', '就绪'],
  statefailed: ['failed', '失败'],
  statestopped: ['stopped', '已停止'],
  statedisabled: ['disabled', '已禁用'],
  start: ['Start', '启动'],
  stop: ['Stop', '停止'],
  restart: ['Restart', '重启'],
  edit: ['Edit', '编辑'],
  remove: ['Remove', '移除'],
  removeSure: ['Remove {name}? Press again.', '确定移除 {name}？再次点击。'],
  restarts: ['Restarts', '重启次数'],
  process: ['Process', '进程'],
  version: ['Version', '版本'],
  sandbox: ['Sandbox', '沙箱'],
  sandboxOn: ['on', '已启用'],
  sandboxOff: ['none', '无'],
  transport: ['Transport', '传输'],
  log: ['Log', '日志'],
  logEmpty: ['It has written nothing.', '没有任何输出。'],
  instructions: ['Instructions', '使用说明'],
  lastFailure: ['Last failure', '最近一次失败'],
  byForm: ['Form', '表单'],
  byJson: ['JSON', 'JSON'],
  command: ['Command', '命令'],
  commandHint: ['Program and arguments, as in a shell', '程序及参数，与命令行写法相同'],
  url: ['URL', 'URL'],
  kind: ['Kind', '类型'],
  kindStdio: ['Program on this machine', '本机程序'],
  kindHttp: ['Address (HTTP)', '网络地址 (HTTP)'],
  json: ['Configuration', '配置'],
  jsonHint: ['Any format: mcpServers, VS Code, a2c.', '支持任意格式：mcpServers、VS Code、a2c。'],
  maskedHint: ['Masked values keep their present value.', '被遮盖的值保持不变。'],
  added: ['Added: {names}', '已添加：{names}'],
  notAdded: ['Not added: {name}: {reason}', '未添加：{name}：{reason}'],
  noneAdded: ['Nothing was added: {reason}', '未添加任何服务器：{reason}'],
  save: ['Save', '保存'],
  notKept: [
    'Kept until a2c stops. To keep it longer, put it into your configuration file.',
    '在 a2c 停止前有效。如需长期保留，请写入配置文件。',
  ],
  trustHint: [
    'The program runs with your permissions. Add only what you trust.',
    '程序将以您的权限运行，请只添加可信的内容。',
  ],
  inputs: ['Inputs', '输入'],
  inputsText: ['Values that are not in the configuration file, such as tokens.', '不写入配置文件的值，例如令牌。'],
  sourceset: ['set', '已设置'],
  sourceenvironment: ['from the environment', '来自环境变量'],
  sourcecommand: ['from a command', '来自命令'],
  sourcedefault: ['default', '默认值'],
  sourcemissing: ['missing', '缺失'],
  value: ['Value', '值'],
  set: ['Set', '设置'],
  clear: ['Clear', '清除'],
  usedBy: ['used by {names}', '被 {names} 使用'],
  login: ['Log in', '登录'],
  loginPending: ['Continue on the login page.', '请在登录页面继续。'],
  loginOpen: ['Open the login page', '打开登录页面'],
  loginAs: ['Log in to the account {account}', '登录账户 {account}'],
  loggedIn: ['logged in', '已登录'],
  loggedInAs: ['logged in to the account {account}', '已登录账户 {account}'],
  approve: ['Approve', '批准'],
  approveAll: ['Approve all', '全部批准'],
  changesTitle: ['Changed tools', '变化的工具'],

  consentTitle: ['{agent} wants to run {tool}', '{agent} 请求运行 {tool}'],
  consentOn: ['on MCP server {server}', '位于 MCP 服务器 {server}'],
  allow: ['Allow once', '允许一次'],
  always: ['Always allow this tool', '始终允许此工具'],
  deny: ['Deny', '拒绝'],
  denyAll: ['Deny all {count} of {agent}', '拒绝 {agent} 的全部 {count} 个请求'],
  allowedTools: ['Always allowed', '始终允许的工具'],
  allowedText: [
    'Agents run these tools without a question, until a2c stops or the tool changes.',
    '在 a2c 停止或工具发生变化之前，智能体运行这些工具时不再询问。',
  ],
  askAgain: ['Ask again', '恢复询问'],
  askAgainLabel: ['Ask again before {tool} runs', '运行 {tool} 前恢复询问'],
  consentLarge: [
    'Only the beginning of the arguments is shown; they have {size}. You can allow the call when all is shown.',
    '仅显示参数的开头部分，参数共 {size}。全部显示后才能允许。',
  ],
  consentAll: ['Show all arguments', '显示全部参数'],
  descriptionAll: ['Show the whole description', '显示完整描述'],
  changeAll: ['Show the whole change of {tool}', '显示 {tool} 的全部变化'],
  moreLines: ['{count} more lines are not shown.', '还有 {count} 行未显示。'],
  reviewMore: [
    'Not all is visible: {count} more lines. You can approve when all is shown.',
    '未完整显示：还有 {count} 行。全部显示后才能批准。',
  ],
  consentRegion: ['Questions', '待回答的问题'],
  consentAsked: ['{agent} asks for consent to run {tool}', '{agent} 请求同意运行 {tool}'],
  hintreadOnly: ['only reads', '只读'],
  hintdestructive: ['may destroy data', '可能破坏数据'],
  hintidempotent: ['safe to repeat', '可安全重复'],
  hintopenWorld: ['reaches other systems', '访问外部系统'],

  toolsLead: [
    'Every tool of every MCP server. Choose one, fill in the form, run it.',
    '所有 MCP 服务器的全部工具。选择一个，填写表单并运行。',
  ],
  search: ['Search', '搜索'],
  searchTools: ['What should the tool do?', '您想让工具做什么？'],
  toolsEmpty: ['No tools yet', '尚无工具'],
  toolsEmptyText: [
    'Tools appear when an MCP server is ready. Start or add one in the view Computer.',
    'MCP 服务器就绪后会显示工具。请在“计算机”视图中启动或添加。',
  ],
  toolsNoMatch: ['No tool matches.', '没有匹配的工具。'],
  chooseTool: ['Choose a tool on the left.', '请在左侧选择一个工具。'],
  run: ['Run', '运行'],
  type: ['Type', '类型定义'],
  copyCommand: ['Copy command', '复制命令'],
  copyCode: ['Copy code', '复制代码'],
  copied: ['Copied', '已复制'],
  copy: ['Copy', '复制'],
  noArguments: ['This tool takes no arguments.', '此工具不需要参数。'],
  required: ['required', '必填'],
  optional: ['optional', '可选'],
  addItem: ['Add', '添加'],
  removeItem: ['Remove item {index}', '移除第 {index} 项'],
  jsonValue: ['JSON value', 'JSON 值'],
  notJson: ['not valid JSON', '不是有效的 JSON'],
  severalLines: ['Several lines', '多行输入'],
  isSet: ['Set {name}', '设置 {name}'],
  result: ['Result', '结果'],
  resultEmpty: ['(empty)', '（空）'],
  resultOf: ['{tool}, {time}', '{tool}，{time}'],
  runHistory: ['Earlier runs', '历史运行'],
  resultFailed: ['The tool reports a failure', '工具报告失败'],
  noContent: ['The result is empty.', '结果为空。'],
  image: ['Image returned by the tool', '工具返回的图片'],
  rows: ['{count} rows', '{count} 行'],
  more: ['{count} more', '还有 {count} 项'],
  again: ['Use these arguments', '使用这些参数'],

  desktopLead: [
    'The windows of your MCP servers, as an agent sees them. They change by themselves.',
    'MCP 服务器的窗口，与智能体看到的一致，会自动更新。',
  ],
  desktopEmpty: ['No window is open', '没有打开的窗口'],
  desktopEmptyText: [
    'An MCP server opens one by offering a resource whose URI starts with window://',
    'MCP 服务器提供以 window:// 开头的资源即可打开窗口',
  ],

  contextLead: [
    'What a model must read before it can start: all tool lists, or the two tools of the proxy instead.',
    '模型开始工作前必须读取的内容：全部工具列表，或代理提供的两个工具。',
  ],
  contextWith: ['with the proxy', '使用代理'],
  contextWithout: ['without the proxy', '不使用代理'],
  contextTokens: ['{count} tokens', '{count} 个 token'],
  contextSaving: ['{percent} % less', '减少 {percent}%'],
  contextMore: [
    'With this few tools the proxy costs more than it saves. It pays off from about twenty tools.',
    '工具较少时代理的开销大于节省，约二十个工具以上才划算。',
  ],
  contextUse: [
    'Give this to an MCP client instead of the single servers: a2c proxy --config FILE, or --url and --office.',
    '将其提供给 MCP 客户端以代替各个服务器：a2c proxy --config FILE，或 --url 与 --office。',
  ],
  contextUseThis: [
    'Give this command to an MCP client instead of the single servers.',
    '将此命令提供给 MCP 客户端以代替各个服务器。',
  ],
  contextEmpty: ['There are no tools to count.', '没有可统计的工具。'],
  tokens: ['Tokens', 'Token 数'],
  estimate: ['The numbers are estimates.', '数值为估算值。'],

  announceReady: ['{name} is ready', '{name} 已就绪'],
  announceFailed: ['{name} failed', '{name} 失败'],
  announceResult: ['{tool} has ended', '{tool} 已结束'],
} as const satisfies Record<string, readonly [en: string, zh: string]>;

export type TextKey = keyof typeof TEXTS;

/** English nouns after a number. */
const SINGULAR = /\b1 (newer )?(tool|call|row|token)s\b/;

/** The text in the language of the page. */
export function t(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  const text = TEXTS[key][language.value === 'zh' ? 1 : 0];
  const filled = text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
  return String(values.count) === '1' ? filled.replace(SINGULAR, '1 $1$2') : filled;
}

/** A text whose key is computed; the end of the key if there is none. */
export function tOf(prefix: 'hint' | 'state' | 'source' | 'moved' | 'remedy', word: string): string {
  const key = `${prefix}${word}`;
  return key in TEXTS ? t(key as TextKey) : word;
}

const locale = () => (language.value === 'zh' ? 'zh-CN' : 'en');

export function formatNumber(value: number): string {
  return value.toLocaleString(locale());
}

export function formatTime(time: number | string): string {
  return new Date(time).toLocaleTimeString(locale(), { hour12: false });
}

export function formatMs(ms: number): string {
  if (ms < 0.95) return `${ms.toFixed(1)} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 60_000
    ? `${(ms / 1_000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
