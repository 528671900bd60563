/** What tools are about, in software and operations. The format is described in `groups.ts`. */
export const SOFTWARE = `
repository, repo, code base, project, git, 仓库, 代码库, 存储库
git, version control, source control, 版本控制
branch, line of development, 分支
main, master, default branch, main branch, 主分支
commit, change, check in, revision, 提交
commit history, log, past commits, who committed, history, 提交历史, 提交记录
pull request, merge request, pr, mr, contribution, change request, proposed change, patch, 合并请求, 拉取请求
remote, upstream, origin, server, 远程
working directory, working tree, working copy, local changes, uncommitted, 工作目录, 工作区
uncommitted changes, local changes, work in progress, unsaved work, 未提交
staged, staging area, ready to commit, index, 已暂存, 暂存区
unstaged, not yet staged, working directory, not added, 未暂存
untracked, not in git, 未跟踪
worktree, several checkouts, separate folder for a branch, 工作树
tag, version mark, release, mark a version, 标签
conflict, collision, merge conflict, 冲突
code, source, program, source code, 代码, 源码, 源代码
code review, review, look over changes, 代码审查, 代码评审
snippet, piece of code, gist, 代码片段
lint, linter, style check, code style, static analysis, code quality, 代码检查, 静态检查
test, tests, unit test, check, 测试
test case, scenario, 测试用例, 用例
test run, test execution, 测试运行
test result, outcome of tests, 测试结果
flaky, unstable, intermittent, unreliable, 不稳定
coverage, how much is tested, 覆盖率
load test, stress test, many users, simulate users, performance test, 压力测试, 负载测试
visual test, screenshot comparison, visual regression, percy, 视觉测试
pipeline, ci, build, continuous integration, workflow, job, 流水线, 管道, 持续集成
ci, continuous integration, pipeline, build server, circleci, github actions, 持续集成
build, compile, job, compilation, 构建, 编译
job, task, run, step, 作业, 任务
artifact, build output, result file, 制品, 产物
deployment, rollout, release, 部署
workflow, automation, flow, process, automated process, 工作流, 流程, 自动化
automation, workflow, automatic, bot, n8n, zapier, 自动化
node, building block, step, 节点
execution, run, 执行
scheduler, cron, timer, 定时任务
webhook, callback, http callback, event hook, 网络钩子, 回调
hook, callback, trigger, 钩子
event, message, signal, 事件
topic, subject, channel, 主题
publish event, send event, emit, 发布事件
event hub, event stream, kafka, streaming, 事件中心
consumer group, consumer, reader, 消费者组
message queue, queue, service bus, broker, rabbitmq, 消息队列
api, interface, endpoint, rest, service, 接口
endpoint, url, address, route, 端点, 终结点
api test, collection run, request collection, postman, 接口测试
request, http request, call, query, 请求
response, answer, reply, result, 响应, 回应, 回复
http, web request, rest, https
get request, http get
post request, http post
header, http header, 请求头
user agent, browser identity, which browser, 用户代理
cookie, session cookie
network, connection, http traffic, requests, 网络
network request, http request, xhr, traffic, 网络请求
console, javascript messages, dev tools, developer tools, 控制台
browser, chrome, firefox, web browser, tab, playwright, 浏览器
iframe, embedded page, frame, 框架
selector, locator, css selector, xpath, 选择器
code generation, generate code, codegen, 代码生成
mock server, fake server, fake api, test server, stub server, 模拟服务器
monitor, periodic check, uptime check, regularly check, 监控, 监视器
specification, spec, openapi, swagger, definition, 规范, 规格
schema, structure, fields, columns, data model, which columns, shape, 模式, 结构, 架构
sdk, client library, library, 开发包
package, library, module, dependency, 包, 软件包
module, library, package, 模块
plugin, extension, add on, addon, 插件, 扩展
provider, supplier, vendor, 提供商, 供应商
database, db, data store, sql, 数据库
sql, query, select, database query, statement, postgres, mysql, 查询语句
select, read query, query, sql query, 查询
insert, add row, add record, 插入
table, relation, 表, 数据表
column, field, 列, 字段
index, lookup speed, faster lookups, search index, 索引
view, table view, 视图
transaction, 事务
document, record, json document, 文档
nosql, document database, mongo, cosmos, 文档数据库
mongodb, mongo, nosql
postgres, postgresql, psql, database
mysql, mariadb, database
sqlite, sql, database
redis, cache, key value, in memory, 缓存
cache, buffer, 缓存
explain, execution plan, query plan, why slow, 执行计划
aggregate, aggregation, group, pipeline, 聚合
firewall, ip rule, let ip through, allow ip, network rule, 防火墙
firewall rule, allow ip address, ip access, 防火墙规则
ip address, ip, network address, 地址
dns, domain name, nameserver, 域名解析
domain, domain name, host name, 域名, 域
subnet, network, vnet, 子网
proxy, gateway, 代理
load balancer, balancing, 负载均衡
server, machine, host, computer, 服务器, 主机
virtual machine, vm, virtual server, instance, cloud server, compute, machine, ec2, 虚拟机, 云服务器
vmss, scale set, scale group, group of machines, virtual machine scale set, autoscale group, 虚拟机规模集
cluster, group of machines, nodes, kubernetes, 集群
node, machine, server, host, worker, 节点
node pool, nodepool, machines of a cluster, agent pool, 节点池
kubernetes, k8s, aks, eks, gke, cluster, 容器编排
pod, container, workload, 容器, 容器组
container, docker, pod, image, 容器
container registry, image registry, container images, docker images, acr, 镜像仓库, 容器注册表
image, container image, docker image, 镜像
namespace, area, 命名空间
helm, chart, package, release
chart, helm package
replica, copy, instance, 副本
exec, run a command, shell command, execute, 执行命令
shell, terminal, command line, bash, cli, 终端, 命令行
command, instruction, cli, 命令, 指令
process, running program, 进程
cpu, processor, usage, processor load, metrics, 处理器
memory, ram, 内存
top, resource usage, consumption, biggest consumers, cpu and memory, 资源占用
service, microservice, 服务
function, lambda, serverless, 函数, 无服务器
web app, webapp, app service, web application, 网络应用
configuration setting, key value, app configuration, kv, setting, 配置项
infrastructure as code, iac, terraform, bicep, 基础设施即代码
terraform, infrastructure as code, hcl
azure, microsoft cloud, cloud, 微软云
aws, amazon cloud, cloud
cloud, azure, aws, 云, 云端
resource group, group, 资源组
subscription, azure account, 订阅
landing zone, platform, migration
quota, enough capacity, limit, 配额
alert, alarm, warning, 告警, 警报
incident, outage, disruption, 事件, 故障
trace, span, profile, 链路, 跟踪
sentry, error tracking, exceptions, crash reporting, 错误跟踪
dsn, client key, 客户端密钥
replay, session recording, what the user did, 回放
root cause, why it happens, rca, reason, 根因, 根本原因
ledger, tamper proof, immutable record, blockchain, cannot be changed, 账本
snapshot, point in time copy, backup, state, 快照
backup, safety copy, 备份
private endpoint, private connection, 专用终结点
sync, file sync, synchronisation, 同步
registered server, 已注册服务器
virtual desktop, remote desktop, session host, 虚拟桌面
dataset, data, training data, 数据集
log query, search logs, kusto, kql, log analytics, 日志查询
kusto, data explorer, kql, adx
diagnostics, troubleshooting, detector, 诊断
architecture, system design, how services fit together, structure, 架构
mobile app, phone app, app, 手机应用
ios, iphone, apple, xcode, 苹果
android, google phone, 安卓
xcode, ios project, swift, apple
scheme, build target, target
bundle id, app id, package name, 包名
crash report, crash log, 崩溃报告
cms, content management, website content, entries of the website, webflow, 内容管理
collection item, cms entry, entry, content item, 内容条目
static content, page text, 静态内容
metadata, meta, seo title, meta title, meta description, 元数据
seo title, page settings, meta title, title in search results
site, website, project, 站点, 网站
hosting, netlify, vercel, deployment, 托管
rich menu, line menu, menu of the bot, 图文菜单
flex message, card message, 卡片消息
push message, direct message, 推送消息
slack, chat, messenger, teams
linear, issue tracker, tickets
jira, issue tracker, tickets
asana, task manager, to do list
github, git hosting, code hosting
gitlab, git hosting, code hosting
tracker, issue, ticket system, bug tracker, 跟踪系统
twilio, sms, phone, telephony
telephony, phone, sip, voip, calls, 电话
sip, voip, internet telephony
short code, short number, 短号码
toll free, free of charge number, 0800, 免费电话
messaging service, sms service, 短信服务
media, image, attachment of a message, 媒体
stream, live, real time, 流
realtime, real time, live, 实时
codegen, record test, generate test, test script
self healing, repaired selectors, healed
accessibility scan, accessibility test
regex, pattern, regular expression, 正则
json, structured data
xml, markup
yaml, configuration file
csv, table file, comma separated
base64, encoded
hash, checksum, fingerprint, 哈希, 校验和
uuid, guid, id, identifier, 标识符
id, identifier, number, key, 编号, 标识
symlink, link
encoding, charset, 编码
async task, background job, long running, task status, 异步任务
health check, is it alive, is it running, ping, server status, 健康检查
exception, error, crash, stack trace, 异常
code style, style mistakes, coding style, formatting rules, 代码风格 ~ lint
go live, launch a site, 上线 ~ deploy, publish
http method, rest call ~ get, post, put, patch
query speed, slow query, 慢查询 ~ explain, performance, index
lookup, look up, 查表 ~ search, find, index
release notes, changelog, what changed ~ changelog
previous version, earlier version, last version, previous release, 上个版本 ~ rollback, version
chat completion, chat with, talk to ai, 对话 ~ completion, chat
model context, mcp, tool server
command line tool, cli, terminal tool
browser log, console log, console output, javascript log, 浏览器日志 ~ console, log
stack, tech stack, 技术栈
dependency graph, depends on, 依赖关系 ~ dependency
environment variable, env var, env, 环境变量
open source, public code, 开源
issue tracker, bug tracker, ticket system, 缺陷跟踪 ~ issue, create
collection run, run requests, send all, 运行集合 ~ run, collection
unit, component test
on call, pager, 值班
rights, privileges, acl, 权限 ~ role, permission
`;
