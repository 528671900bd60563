/**
 * Messages of the other packages in Chinese, by their English text, as in a message catalogue. `{name}` stands for any
 * text, which is translated too where a message of this list contains another one.
 */
import { CONFIG_MESSAGES } from './config-translations.js';
import { HUB_MESSAGES } from './hub-translations.js';
import type { Language } from './language.js';

const CHINESE: readonly (readonly [english: string, chinese: string])[] = [
  // The hub
  ['{problem}; it wrote {lines} no JSON-RPC', '{problem}；它写了{lines}不是 JSON-RPC 的输出'],
  ['server "{server}" could not be started: {reason}', '服务器 "{server}" 启动失败: {reason}'],
  ['exited with code {code}; last line of stderr: {line}', '进程以代码 {code} 退出；stderr 最后一行: {line}'],
  ['exited with code {code}', '进程以代码 {code} 退出'],
  ['was ended by {signal}; last line of stderr: {line}', '进程被 {signal} 终止；stderr 最后一行: {line}'],
  [
    'the program "{program}" was not found or cannot be executed: install it, give its full path, or make it executable',
    '找不到程序 "{program}"，或者它不可执行：请安装该程序、填写完整路径，或赋予执行权限',
  ],
  ['{what} took longer than {time} s; last line of stderr: {line}', '{what}超过 {time} 秒；stderr 最后一行: {line}'],
  ['there is no server "{server}"; did you mean "{near}"?', '没有名为 "{server}" 的服务器；是不是 "{near}"？'],
  ['there is no server "{server}"', '没有名为 "{server}" 的服务器'],
  [
    'server "{server}" has no tool "{tool}"; did you mean "{near}"?',
    '服务器 "{server}" 没有工具 "{tool}"；是不是 "{near}"？',
  ],
  ['server "{server}" has no tool "{tool}"', '服务器 "{server}" 没有工具 "{tool}"'],
  [
    'Tool \'{tool}\' not found in any active server; did you mean "{near}"?',
    '正在运行的服务器都没有工具 "{tool}"；是不是 "{near}"？',
  ],
  ["Tool '{tool}' not found in any active server", '正在运行的服务器都没有工具 "{tool}"'],
  ["Tool '{tool}' is disabled by configuration", '工具 "{tool}" 已被配置禁用'],
  ['the tool name "{tool}" is not unique: use {choices}', '工具名 "{tool}" 不唯一：请使用 {choices}'],
  [
    'invalid arguments for "{tool}": {problems}. Call it as {signature}',
    '"{tool}" 的参数无效: {problems}。正确形式: {signature}',
  ],
  ['Cannot start disabled server: {server}', '服务器 {server} 已禁用，不能启动'],
  ['Server {server} is active. Stop it before updating config', '服务器 {server} 正在运行，请先停止再更新配置'],
  ['the connection to server "{server}" was lost: {reason}', '与服务器 "{server}" 的连接中断: {reason}'],
  ['server "{server}" answered with HTTP {status}', '服务器 "{server}" 返回 HTTP {status}'],
  [
    'server "{server}" rejected the credentials (HTTP {status}): check its headers or token',
    '服务器 "{server}" 拒绝了凭据（HTTP {status}）：请检查 headers 或 token',
  ],
  ['server "{server}" sent an answer that is not MCP: {reason}', '服务器 "{server}" 的应答不符合 MCP: {reason}'],
  [
    'server "{server}" is busy: {calls} calls in flight, {queued} waiting; try again later',
    '服务器 "{server}" 繁忙：{calls} 个调用进行中，{queued} 个排队；请稍后重试',
  ],
  [
    '{problem}; the call has begun and may have run: check before you call it again',
    '{problem}；该调用已开始，可能已经执行：再次调用前请先确认',
  ],
  [
    'server "{server}" answered the call of "{tool}" with a task that the caller has not asked for, and without a result',
    '服务器 "{server}" 对 "{tool}" 的调用返回了未请求的任务，且没有结果',
  ],
  ['server "{server}" needs a login{or}: run {command}', '服务器 "{server}" 需要登录{or}：请运行 {command}'],
  ['server "{server}" needs a login{or}', '服务器 "{server}" 需要登录{or}'],
  [', or a token in its headers', '，或在其 headers 中提供 token'],
  [
    'sent a tool that is left out: its name {name} must not {problem}',
    '发送的一个工具未采用：其名称 {name} 不得{problem}',
  ],
  ['have more than {count} characters', '超过 {count} 个字符'],
  [
    'tools are new or changed since they were approved: {tools}. To review: {command}',
    '以下工具是新的，或在批准后有变化: {tools}。查看请运行: {command}',
  ],
  ['consent for the tool "{tool}" was denied', '用户拒绝了工具 "{tool}" 的调用'],
  ['consent for the tool "{tool}" was not given in time', '工具 "{tool}" 的调用未在时限内得到用户同意'],
  [
    'the tool "{tool}" needs consent, and this Computer has no confirm callback',
    '工具 "{tool}" 需要用户同意，但该 Computer 无法询问用户',
  ],
  ['the server was stopped', '服务器已停止'],
  ['sent instructions of more than {size} KiB; they are left out', '发送的 instructions 超过 {size} KiB，未采用'],
  [
    '{method} has more than {size} in all its pages together; the rest is ignored',
    '{method} 的所有分页合计超过 {size}，其余部分被忽略',
  ],
  ['{method} has an item of more than {size}; it is left out', '{method} 中有一项超过 {size}，未采用'],
  [
    '{count} requests of this server wait for an answer, and no more may wait',
    '该服务器已有 {count} 个请求等待答复，不能再增加',
  ],
  ['two of the servers have the same name', '有两个服务器重名'],
  [
    'listed as {names}: server "{server}" has tools of the same names; give them aliases in tool_meta',
    '以 {names} 列出：服务器 "{server}" 有同名工具；可在 tool_meta 中设置 alias',
  ],
  ['{field}: "{entry}" matches no tool of this server', '{field}: "{entry}" 与此服务器的任何工具都不匹配'],
  ['the command of input "{id}" took longer than {time} s', 'input "{id}" 的命令超过 {time} 秒'],
  ['git {command} failed: {reason}', 'git {command} 失败: {reason}'],
  ['{what}: it took longer than {time} s', '{what}: 超过 {time} 秒'],
  ['it took longer than {time} s', '超过 {time} 秒'],
  ['{what} took longer than {time} s', '{what}超过 {time} 秒'],
  ['the start', '启动'],
  // Arguments
  ['"{key}" must be {type}, not "{value}"', '"{key}" 应为{type}，而不是 "{value}"'],
  ['a number', '数字'],
  ['of type {type}', ' {type} 类型'],
  ['"{key}" is given twice', '"{key}" 重复给出'],
  ['"{word}" is not an argument; {forms}', '"{word}" 不是参数；{forms}'],
  [
    'expected a JSON object, @FILE with one (@- for stdin), or KEY=VALUE …',
    '应为 JSON 对象、含有 JSON 对象的 @文件（@- 表示标准输入），或 KEY=VALUE …',
  ],
  ['{path}: is not a parameter', '{path}: 不是参数'],
  ['{path}: must be {bound}, got {value}', '{path}: 范围应为{bound}，实际为 {value}'],
  ['{path}: expected one of {values}, got {value}', '{path}: 应为以下之一: {values}，实际为 {value}'],
  ['{path}: is required ({type})', '{path}: 必填（{type}）'],
  ['{path}: expected {type}, got {value}', '{path}: 应为 {type}，实际为 {value}'],
  // Inputs
  [
    'input "{id}" has no value; set {variable}, or run a2c in a terminal to be asked',
    'input "{id}" 没有值；请设置 {variable}，或在终端中运行 a2c 以便输入',
  ],
  ['input "{id}" is not defined; its placeholder is not expanded', '没有定义 input "{id}"；其占位符不会被替换'],
  ['input "{id}" is not defined', '没有定义 input "{id}"'],
  // The signalling server
  ['{problem} (tried for {time} s)', '{problem}（已尝试 {time} 秒）'],
  ['cannot connect; trying again', '无法连接，正在重试'],
  ['disconnected', '连接已断开'],
  [
    'cannot reach {url}: the connection is refused; is the server running?',
    '无法连接 {url}: 连接被拒绝；服务器是否在运行？',
  ],
  [
    'cannot reach {url}: there is no such socket; is the server running?',
    '无法连接 {url}: 该套接字不存在；服务器是否在运行？',
  ],
  ['cannot reach {url}: {reason}; {remedy}', '无法连接 {url}: {reason}；{remedy}'],
  ['cannot reach {url}: {reason}', '无法连接 {url}: {reason}'],
  [
    'nothing listens there; start a server with {up} or {server}',
    '该地址没有程序在监听；可用 {up} 或 {server} 启动一个',
  ],
  [
    'the server there does not use TLS; use http:// instead of https://',
    '该服务器没有使用 TLS；请把 https:// 改为 http://',
  ],
  ['the server there does not use TLS', '该服务器没有使用 TLS'],
  ['use http:// instead of https://', '请把 https:// 改为 http://'],
  [
    'the authority of its certificate is unknown; give the certificate with --tls-ca FILE',
    '无法验证证书的签发机构；请用 --tls-ca FILE 指定其证书',
  ],
  [
    'the server closed the connection without an answer; check the address, and use https:// if it uses TLS',
    '服务器没有应答就关闭了连接；请检查地址，如果它使用 TLS，请改用 https://',
  ],
  ['check the host name and your network connection', '请检查主机名和网络连接'],
  // Configurations
  ['{place}: {severity} at /{pointer}: {problem}', '{place}: /{pointer} {severity}: {problem}'],
  ['{place}: error: {problem}', '{place}: 错误: {problem}'],
  ['{place}: warning: {problem}', '{place}: 警告: {problem}'],
  ['error', '错误'],
  ['warning', '警告'],
  ['{problem}; allowed: {values}', '{problem}；可用: {values}'],
  ['{problem}; did you mean "{near}"?', '{problem}；是不是 "{near}"？'],
  ['unknown key "{key}"', '未知的键 "{key}"'],
  ['"{key}" is unknown and has no effect', '"{key}" 是未知的键，不起作用'],
  ['the key "{key}" is repeated; the last one is used', '键 "{key}" 重复；以最后一个为准'],
  ['the key "{key}" is repeated', '键 "{key}" 重复'],
  ['"{key}" is missing', '缺少 "{key}"'],
  ['"{key}" also needs "{other}"', '有 "{key}" 时还需要 "{other}"'],
  ['"{key}" cannot be combined with "url"', '"{key}" 不能与 "url" 同时使用'],
  ['"{key}" belongs to the a2c format, {remedy}', '"{key}" 属于 a2c 格式：{remedy}'],
  [
    'which has "servers" instead of "mcpServers", and a "type" for each server',
    '该格式用 "servers" 代替 "mcpServers"，每个服务器都有 "type"',
  ],
  ['the name differs from the key of the entry', '名称与条目的键不一致'],
  ['server "{server}" has the same bundle id', '服务器 "{server}" 的 bundle id 与它相同'],
  [
    'comments and trailing commas are not JSON; other tools may reject this file',
    '注释和末尾逗号不是 JSON；其他工具可能拒绝此文件',
  ],
  ['comments and trailing commas are not JSON', '注释和末尾逗号不是 JSON'],
  ['not JSON: {reason}', '不是有效的 JSON: {reason}'],
  ['not an allowed value', '不允许的值'],
  [
    '{what} must not be empty, and must not begin or end with a blank or a line break',
    '{what}不能为空，首尾不能有空格或换行',
  ],
  ['a server name', '服务器名称'],
  [
    'a server cannot be called "all", which means every server in commands',
    '服务器不能命名为 "all"：在命令中它表示全部服务器',
  ],
  ['a server name may use only letters, digits, "_" and "-"', '服务器名称只能使用字母、数字、"_" 和 "-"'],
  ['another {what} with this name is defined above; this one replaces it', '上面已有同名的 {what}；以后一个为准'],
  ['the name of a variable must not contain "="', '变量名不能包含 "="'],
  ['must not contain a NUL character', '不能包含 NUL 字符'],
  ['must not be blank', '不能为空白'],
  ['must name a program', '必须指定程序'],
  ['must be at least 1', '不能小于 1'],
  [
    'expected an http:// or https:// URL, or http+unix:// with the path of a socket',
    '应为 http:// 或 https:// 地址，或带套接字路径的 http+unix:// 地址',
  ],
  [
    'expected seconds as a number above zero, or an ISO 8601 duration such as "PT30S"',
    '应为大于零的秒数，或 ISO 8601 时长，例如 "PT30S"',
  ],
  [
    'expected a list of servers, or an object with a server under each name',
    '应为服务器列表，或以服务器名称为键的对象',
  ],
  ['expected a program, or a list of program and arguments', '应为程序，或由程序和参数组成的列表'],
  ['expected a string', '应为字符串'],
  ['expected a number', '应为数字'],
  ['expected a whole number', '应为整数'],
  ['expected true or false', '应为 true 或 false'],
  ['expected a list', '应为列表'],
  ['expected a list of inputs', '应为 input 的列表'],
  ['expected an object or a list', '应为对象或列表'],
  ['a server in a list needs a "name"', '列表中的服务器需要 "name"'],
  ['expected an object', '应为对象'],
  ['no transport is defined for this server', '该服务器没有定义连接方式'],
  ['no server of this file has this name', '文件中没有这个名称的服务器'],
  ['the default is not one of the options', '默认值不在选项之中'],
  [
    'the MCP server "{server}" of {file} is not started, because you have not approved it (approve it by {command} in a terminal, or by --approve-all-mcp for this run)',
    '{file} 中的 MCP 服务器 "{server}" 没有启动，因为您尚未批准它（可在终端中运行 {command} 批准，或用 --approve-all-mcp 仅在本次批准）',
  ],
  [
    'the MCP servers of the plugin "{plugin}" are not started, because they are not trusted: {servers} (allowed by {command}, or by --approve-all-mcp for this run)',
    '插件 "{plugin}" 的 MCP 服务器没有启动，因为它们不受信任: {servers}（可用 {command} 允许，或用 --approve-all-mcp 仅在本次允许）',
  ],
  [
    'is below the symbolic link {link}, which may lead to files of another folder; put a copy in place of the link',
    '位于符号链接 {link} 之下，它可能指向其他文件夹的文件；请用副本代替该链接',
  ],
  ['{path}: does not exist', '{path}: 文件不存在'],
  ['does not exist', '文件不存在'],
  // Commands
  ['--headless needs --url and --office', '--headless 需要同时给出 --url 和 --office'],
  ['Tool execution failed: {reason}', '工具执行失败: {reason}'],
  ['no Computer "{computer}" in office "{office}"', '房间 "{office}" 中没有 Computer "{computer}"'],
  [
    'Computer "{computer}" offers no tool "{tool}"; it may be disabled or unknown',
    'Computer "{computer}" 没有工具 "{tool}"；它可能已被禁用或不存在',
  ],
];

const CATALOGUE = [...CHINESE, ...CONFIG_MESSAGES, ...HUB_MESSAGES];

/** English with placeholders as a pattern. The whole message must match. */
const PATTERNS = CATALOGUE.map(([english, chinese]) => {
  const source = english
    .split(/(\{\w+\})/)
    .map((part) =>
      /^\{\w+\}$/.test(part) ? `(?<${part.slice(1, -1)}>[^]*?)` : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    )
    .join('');
  return [new RegExp(`^${source}$`, 'u'), chinese] as const;
});

/** The English templates, for the test that compares them with the sources. */
export const TRANSLATED: readonly string[] = CATALOGUE.map(([english]) => english);

/** Longer lines have texts of servers, and comparing them with all patterns would take time. */
const MAX_LINE = 4_000;

/** How deeply one message may contain another. */
const MAX_DEPTH = 4;

/** Translates a message, line by line; a line that the catalogue does not have stays as it is. */
export function translateMessage(message: string, language: Language, depth = 0): string {
  if (language === 'en' || depth > MAX_DEPTH) return message;
  return message
    .split('\n')
    .map((line) => {
      if (line.length > MAX_LINE) return line;
      for (const [pattern, chinese] of PATTERNS) {
        const groups = pattern.exec(line)?.groups;
        const matches = groups ?? (pattern.test(line) ? {} : undefined);
        if (matches)
          return chinese.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
            translateMessage(matches[name] ?? '', language, depth + 1),
          );
      }
      return line;
    })
    .join('\n');
}
