/** Hints to tools for clouds, servers, data and AI. The format is described in `groups.ts`. */
export const INFRASTRUCTURE_HINTS = `
virtual machine, vm, instance: cloud server, rented computer, cloud computer, box, machine in the cloud, ec2, 云主机, 云电脑, 服务器
vm create, create instance: rent a server, spin up, new machine, new server, 开一台, 租一台
vm delete, terminate instance: get rid of a server, shut down for good, 销毁机器
vm update, resize: bigger machine, more memory, more power, stronger machine, change the machine type, 加内存, 升配
vmss, scale set: fleet, group of equal machines, many identical servers, autoscale, 一组机器, 机器组
scale: more copies, fewer copies, bigger, smaller, grow, shrink, replicas, how many copies, handle more load, more instances, stronger, 更多副本, 增加实例, 减少实例, 几个副本
disk: hard drive, drive, volume, ssd, space for a machine, 硬盘, 磁盘空间, 数据盘
snapshot: frozen copy, point in time, save state, safety copy, keep a copy, copy of the drive, as it was, restore point, 定格, 某一时刻的副本, 留底
storage account, storage: place for files, where files live, disk space, file store, 存放文件的地方
blob, bucket, object storage: file in the cloud, cloud files, stored files, s3, object, 云端文件, 云上的文件
blob container, container storage: folder in the cloud, cloud folder, 云端文件夹
blob upload, upload: put a file online, send a file to the cloud, copy a file up, back up a file, store a file, 传到云上, 放到云上
file share: network drive, shared drive, common folder, shared disk, company drive, nas, 网络盘, 共享盘, 公共文件夹
private endpoint connection, peconnection: private network access, not over the internet, internal access, 私网访问
storage sync, sync group, sync: keep files the same, office server and cloud, mirror folders, hybrid, two places, on premises, 两边一致, 办公室服务器
registered server, server endpoint: our own server, office server, file server, local machine taking part, 本地服务器
cloud endpoint: cloud side, share in the cloud, 云端一侧
change detection: look for changed files, notice changes, pick up new files, scan for changes, 发现变化, 扫描改动
lustre, file system: parallel storage, hpc, fast storage, supercomputer storage, research cluster files, 高性能存储, 并行存储
auto import, autoimport: continuous loading, pull new files, keep loading, 持续导入, 自动拉取
auto export, autoexport: continuous saving, write back, keep saving, 持续导出, 自动写回
import job, import: load, bring in, read in, take over data, get data into, 搬进来, 灌进去
export: get out, write out, dump, take the data with me, save as file, give me a file, hand over data, 拿出来, 导成文件
subnet size, subnet: how many addresses, network range, big enough network, ip range, 网段大小, 多大的网络
subnet validate: does the network fit, is the network big enough
sku, tier: size, variant, performance class, product variant, which sizes, plan, bigger tier, 规格, 档次
maintenance window: when may it be serviced, time for updates, 维护时间
container registry, acr, registry: docker images, image store, where images are kept, 镜像仓库, 镜像
container app, containerapp: containers without servers, running containers, 容器应用
kubernetes, cluster, aks: containers at scale, k8s, group of machines, 容器集群
node pool, nodepool, node: machines of the cluster, workers, servers in the cluster, hosts, 集群机器, 工作节点
node log: system messages of a machine, kubelet output
node top, pod top: who eats memory, cpu hog, which uses most, resource consumption, busy, load, how much memory, 吃内存, 占用最多, 谁最耗资源
pod: container, workload, running program, instance of the app, unit, 容器组, 跑着的容器
pod list, list pods: what runs, what is running, running containers, which containers, 跑着哪些, 运行着什么
pod get: condition of a container, how is this container doing, 某个容器的情况
pod log: what does it print, container output, why does the container fail, messages of the app, 容器输出, 容器打印
pod exec, exec: command inside, shell into, open a shell, get into the container, look inside, run inside, terminal, 进到容器, 进容器, 在里面执行
pod run: start an image, try an image, launch a container, 起一个容器, 跑个镜像
pod delete: kill a container, restart a container, 干掉容器
helm, chart: package for the cluster, install an app into the cluster, ready made app for kubernetes, 应用包
helm install: put an app on the cluster, set up in the cluster, roll out a package
helm uninstall: remove an app from the cluster, take off the cluster
helm list: which apps are installed in the cluster, installed packages
resource create or update, apply: manifest, yaml, desired state, change the deployment, service definition, 清单, 应用清单, 按清单部署
resource list, group resource list: what do we have, everything in the account, which things exist, inventory, 有哪些资源, 资源盘点
resource group, group list: folders of resources, containers of resources, how are resources grouped, 资源分组
resource scale: more replicas, fewer replicas, copies of the deployment, 副本数
event, events list: what happened, warnings, recently, incident, anything unusual, 发生了什么, 最近的事件
configuration view, kubeconfig: which cluster am i using, cluster access, kubectl settings, 连接的是哪个集群
namespace list: areas of the cluster, departments of the cluster, how is the cluster divided, 划分
app service, webapp, web app: hosted website, web application, site in the cloud, 网站应用, 托管的网站
webapp settings, app settings, appsettings: environment of the site, settings of the web app, configuration values, 应用设置, 站点配置
webapp deployment, deployment: rollout, what was deployed, last rollout, when did it go live, release history, 部署记录, 什么时候上线的
diagnostic, diagnose, detector: why is it slow, why is it down, doctor, health problem, what is wrong, analyse trouble, find the cause, 诊断, 哪里有问题, 为什么挂了
function app, functions: serverless, small programs, code that runs on demand, lambda, 云函数, 无服务器
function template: starting code, sample function, boilerplate for a trigger
function language: which programming languages, python or node, 支持哪些语言
app configuration, appconfig, key value: central settings, feature flags, switches, parameters of the app, config entry, 集中配置, 配置项, 开关
lock set, lock: read only, may not be changed, freeze, protect against changes, 不让改, 冻结, 只读
key vault, vault: safe, password store, secure place, keep passwords, strongbox, 保险箱, 密码箱, 密码库
secret: password, confidential value, api password, hidden value, credentials, connection password, 机密, 口令
certificate: tls, https, ssl, expires, cert, encrypted website, padlock, pfx, pem, 证书, 加密网站
key create, cryptographic key: encryption key, signing key, 加密密钥
hsm, admin setting: hardware security
ledger: tamper proof, cannot be changed afterwards, proof, immutable record, trustworthy record, unalterable, 不可篡改, 防篡改, 存证
sql database, sql db, database: tables, relational, data store, where data is kept, 数据表, 关系库
sql db rename, rename: give a database another name, call it differently, 改个名字
sql db update: faster database, more power for the database, performance tier, 数据库提速, 数据库升级
sql server: database machine, database host, 数据库服务器
elastic pool: shared database capacity, databases sharing resources
firewall rule, firewall: let in, allow my ip, block access, who may connect, office address, open for, shut out, 放行地址, 允许哪些ip, 谁能连
entra admin, administrator: who is in charge, superuser, who may administer, 管理员是谁
mysql, postgres, postgresql: relational database, sql, tables, 关系数据库
server parameter, server param: database setting, max connections, tuning knob, timeout of the database, 数据库参数, 最大连接数
server config: how is the server set up, all settings of the database, 服务器配置
table schema, schema: columns, fields, structure, how is the table built, which columns, data types, layout of the data, 有哪些列, 表结构, 字段有哪些
database query, query, sql: ask the data, select, look something up in the data, read rows, fetch rows, count rows, 查数据, 查表, 取数
cosmos, nosql: document database, json store, 文档数据库
redis: cache, in memory, fast store, key value store, 缓存
kusto, data explorer: log analytics, time series, big data queries, kql
sample: a few rows, example rows, look at some data, taste, first rows, 几行数据, 看几条
mongodb, collection: document store, set of documents, json documents, 文档集合
find: look for documents, matching documents, which documents, fetch documents, read entries, 查文档, 符合条件的
aggregate: group, sum up, per month, totals, average, statistics over, combine, most common, 分组统计, 按月汇总, 平均值
count: how many, number of, amount of documents, 有多少条, 多少个
insert many, insert: add records, put data in, new entries, store documents, save documents, 加数据, 写数据, 添加记录
update many: change records, change all that match, modify documents, set a value everywhere, correct data, 改数据, 批量改
delete many: remove records, delete documents, throw out entries, erase old data, 删数据, 清掉旧数据
drop collection, drop database, drop: throw away completely, get rid of everything, erase the whole, remove entirely, wipe, 整个删掉, 全部丢掉
rename collection: call the collection differently
create index, index: faster lookups, speed up searching, make queries quick, slow lookups, 加快查询, 提速查询
drop index: slows down writes, index no longer needed
collection index: which fields are indexed, is there an index, 有没有索引
explain: why is the query slow, does it use an index, how is it executed, execution plan, takes forever, slow search, slow, 为什么慢, 执行计划, 查询很慢
storage size, collection storage size, db stats: how much space, how big is the data, disk space used, takes up, 占多大, 占用空间, 数据量
connect: log on, open a connection, get in touch with the server, use this server, 连上, 接到
list connection: which servers am i connected to, open connections
disconnect: hang up, close the connection, no longer use the server, 断掉
list database, list collection: what is stored, which data do we have, what is in the database, 有哪些库, 有哪些表
backup, restore: safety copy, get data back, 备份, 恢复数据
event hub, eventhub, event stream: stream of events, incoming data, telemetry pipe, kafka, queue for events, 数据流, 事件流
consumer group: who reads the stream, reader of the stream, 消费者
event grid, topic: news channel, publish subscribe, distribute events, 主题
publish event: announce, tell subscribers, send an event, let other systems know, 发布事件, 通知其他系统
service bus, queue: messages waiting, work queue, message line, how many messages are waiting, 排队的消息, 积压
signalr: real time, push to browsers, websocket, live updates, 实时推送
monitor metric, metric: cpu, memory, load, how busy, traffic, response time, figures over time, numbers, utilisation, 负载, 指标曲线, 用了多少cpu
metric definition: what can be measured, which figures exist, 能看哪些指标
activity log: who changed something, who did what, who deleted the machine, actions on the resource, 谁改的, 操作记录
log query, log analytics, workspace log: search in the logs, find in messages, errors yesterday, 在日志里找, 查日志
log analytics workspace: where are logs kept, place for logs, 日志放在哪
table list: which tables, tables of logs, 有哪些表
web test, webtest: is my site up, check a url from outside, availability check, ping test, uptime, 网站能否访问, 可用性测试
health model, resource health, availability status, health: is it up, outage, does it run, broken, alive, downtime, available, is azure down, working, 挂了吗, 是否正常, 宕机, 停机
health event: outage, service disruption, maintenance announcement, was there an incident, 故障公告
instrumentation: add telemetry, measure my app, observability, tracing, opentelemetry, 埋点, 加监控
workbook: report, dashboard, interactive report, charts, figures on one page, 报表, 看板
grafana, dashboard: charts, graphs, panels, visualise, 图表, 看板
datadog: monitored things, watched systems
recommendation, advisor: advice, suggest, improve, what should i do better, tips, hints, save money, optimise, 建议, 怎么改进, 省钱
cost, price, pricing: how expensive, what would it cost, money, budget, rate, fee, cheap, 多少钱, 花多少, 价格
quota, usage check, limit: enough left, how much more, capacity, maximum, am i allowed, exceed, allowance, how many may, 够不够, 还能用多少, 上限
region availability, region: where is it offered, which countries, which data centre, in europe, 哪些地区, 哪个机房
marketplace, product: offers, buy software, third party products, shop of the cloud, 云市场, 应用市场
subscription list, subscription: cloud account, contract, billing account, which accounts, 订阅账号, 云账号
role assignment, rbac, role: who may do what, access rights, permissions, who has access, privileges, allowed, admin rights, 谁有权限, 谁能做什么
policy assignment, policy: compliance, rules in force, what is forbidden, guard rails, regulations, company rules, 合规, 规定, 限制规则
compliance review, azqr, quick review: security check of the account, are we compliant, report on the cloud, assessment, 合规检查, 安全评估
architecture diagram, diagram: picture of the system, draw, how do the parts fit, sketch, overview drawing, 架构图, 画图
architect design, architecture: how should i build, design a system, which services do i need, blueprint, plan a system, 怎么设计, 系统设计
well architected framework: is the design good, reliability advice, pillars
deploy plan, deployment plan: how do i get it into the cloud, steps to go live, plan the rollout, 上云步骤, 部署计划
pipeline guidance: set up ci for the cloud, github actions for
landing zone: starting setup of a cloud account, enterprise setup
bicep, infrastructure as code, iac: describe the cloud in files, cloud as text, bicep file properties, 基础设施代码
terraform: infrastructure as code, hcl, cloud as code, 基础设施代码
provider detail, provider: vendor, plugin, which cloud, 厂商
provider guide: how to upgrade, upgrade notes, handbook of the provider
module search, module: ready made, building block, reusable part, prefab, vpc, off the shelf, 现成模块, 可复用
resource usage: example, sample code, how is it written, show me how to write, snippet, 示例代码, 怎么写
resource argument, argument: which settings, parameters, mandatory fields, inputs, what must i specify, 需要哪些参数, 必填
data source: read existing things, look up what exists
policy library: rules as code, sentinel
cli generate: command line for, which command, az command, 命令怎么写, 生成命令
cli install: how do i install the tool, set up the command line, 怎么安装命令行
load test, loadtesting: many users at once, stress, how much can it take, simulate visitors, heavy traffic, endure, crowd, 压测, 压力测试, 扛得住, 并发
test run load: start the stress test, result of the stress test
device registry, iot: gadgets, sensors, machines in the field, smart devices, 物联网设备, 传感器
virtual desktop, host pool, hostpool: remote desktop, work from home computers, remote workplaces, citrix, 远程桌面, 云桌面
session host user, user session: who is working on the remote machine, who is logged on
service fabric: cluster machines, microservice cluster
node restart, restart: reboot, turn off and on, fresh start, 重启, 重新启动
speech to text, stt, recognize, recognise: what is said, dictation, write down what is spoken, transcribe, voice to text, audio file, 听写, 语音转文字, 说了什么
text to speech, tts, synthesize: read aloud, speak, voice, audio from text, say it, spoken version, 朗读, 念出来, 配音, 读出来
embedding, embeddings: vector, numbers for meaning, similarity, semantic, 向量
chat completion, completion: ask gpt, let ai answer, talk to a model, write a text with ai, generate text, 让ai回答, 让ai写
model list, openai model: which ais, which models can i use, available ai, 有哪些模型
ai search, search index: full text search, look in our documents, 搜索服务
knowledge base: facts, what the ai knows, company knowledge, collected answers, 知识库
knowledge source: where do the facts come from, sources of the answers, basis of the answers, 资料来源, 知识来源
knowledge base retrieve, retrieve: ask our documents, answer from our documents, 从资料里找答案
vector, pinecone, search record: similar meaning, resembling, semantic search, find by meaning, closest texts, alike, 意思相近, 语义相近
upsert record, upsert: store texts for searching by meaning, put into the vector store, add or change, 存入向量库
rerank, rerank document: best first, sort by relevance, order the results, which fits best, how well they answer, put in order, 按相关度, 重新排, 排个序
cascading search: several indexes at once, search everywhere
describe index stats: how many records, how full is the index
describe index: settings of the index, how is the index configured
create index for model: new vector store, place for embeddings
namespace stats: records per section
model context, context: background information
agent: ai helper, assistant, bot, digital employee, 智能助手, 机器人
memory, knowledge graph: remember, what do you know about, notes about people, keep in mind, recall, 记住, 记得, 记忆
entity: person or thing, node of the graph, object
observation: fact about, add what you learned, note about
sequential thinking, thinking: think it through, step by step, reason, plan a solution, break down a hard problem, ponder, reflect, brainstorm, 想清楚, 一步步想, 推理, 仔细想
docker, container: image, isolated program, 容器
process: running program, task manager, what is running on the computer, 进程
kill process, terminate process: hangs, frozen program, end a program
shell, terminal, execute command, run command: command line, bash, run a program, console, 命令行, 跑命令
ssh, remote server: log in to a server, other machine
file, read file: document, open, look into, text, 打开, 看文件
write file: save text, put on disk, store as file, 写到文件
edit file: change lines, replace text, correct a passage, 改几行
move file: put somewhere else, relocate, rename
directory, folder: what is in there, where files are, contents of a folder, 文件夹里有什么
create directory: new folder, make a place for files, 建文件夹
search file: where is my file, find by name, locate, 找文件
file info: how big, when changed, size and date, 文件大小, 修改时间
allowed directory: what may you access, which folders may you see
zip, gzip, compress: make smaller, pack, shrink a file, archive, 压缩, 打包, 变小
hash, checksum: fingerprint, is the file unchanged
encrypt, decrypt: make unreadable, protect with a password, 加密
dns: domain records, name server, where does the domain point, 域名解析
domain: web address, host name, own address, 域名
cdn, cache purge: stale pages, old content is shown, refresh the cache, 清缓存
load balancer: distribute traffic
vpn, network: private connection, tunnel
cron, schedule: every night, regularly, at a fixed time, recurring, every monday, automatically at, timer, 每天定时, 定时执行, 每晚
alert rule, alert: warn me, notify when, alarm, threshold, too high, exceeds, 报警, 超过就通知, 告警
incident: outage, emergency, who is on call, page somebody, 事故, 值班
feature flag: switch a feature on, gradual rollout, toggle for users, 功能开关, 灰度
secret scanner, detected secret: leaked password, token in the open, exposed, pasted a password, credentials by mistake, 泄露的密钥, 明文密码, 泄漏
storage sync, storagesync, sync service: file mirroring, mirror, keep in step, 文件同步
cloud endpoint create: let the share take part, connect the cloud share
vm get: how much memory has the server, which machines do we rent, 机器配置
load test create: thousand visitors, many users, crowd test, behaves under load, prepare a stress test, 一千个用户, 同时访问, 大量用户
load test resource: where can stress tests run
redis create: fast cache, in memory cache, speed up my app, 缓存服务
blob upload: back up a file, local file to the cloud, 备份文件
activity log: actions on the resource, who deleted the machine
learning resource: learn telemetry, lessons on monitoring
web test: check from outside, probe
append entry, ledger entry: write a permanent record, 存证记录
database add: connect a database to the site, database for my web app, 给网站接数据库
elastic pool: databases that share power
unregister: take the server out, no longer take part, 退出同步
consumer group: readers, who consumes
topic: channel, subject, 频道主题
table storage: tables of the storage account
recommendation code optimization, application insight: slow code, code improvements, hot spots in production
file share limit: largest share, maximum size of a share
provisioning recommendation: which size should the share have
knowledge index: what is the ai allowed to search
resource health: is it my fault or the cloud's, outage
quick review: security report, compliance report
pod log: what does it say, why does it not come up, does not start, crashes at once, 起不来, 启动失败
pod exec: prompt inside, bash in the container, terminal in the container
resource get: show the definition, yaml of one object, single object, 查看定义
update many: set the status of all, change old entries, mass change, 全部改成, 批量修改
list database: data pools, which data stores, 有哪些数据库
count: registered people, how many users, 一共有多少, 有多少
query: straight from the data, from the relational data, numbers from the database, 直接查库
search record: mean the same, similar sentence, about the same, resembles, related texts, 意思差不多, 意思一样, 类似的文本
list index: which vector stores, 有哪些向量库
provider guide: next major version, what changes with the new version, breaking changes, upgrade of the plugin, 升级到新版本
policy detail: rules of the library, more on the rule set
server parameter: tuning value, time limit of the database
`;
