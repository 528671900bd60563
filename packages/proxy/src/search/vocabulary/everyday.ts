/** How people put it who do not know the names of the tools. The format is described in `groups.ts`. */
export const EVERYDAY = `
delete, scrap, bin, trash, throw out, throw away, dispose of, do away with, ditch, eliminate, junk, no longer need, not needed any more, kick out, 扔掉, 丢掉, 弃用, 不要了, 作废
delete, kick, throw out, expel, evict, boot out, oust, remove from, 踢出, 赶出, 移出
remove, take out, take down, strip, pull down, cut, kill, 撤下, 拿掉
delete, erase, wipe, blank, scrub, rub out, 擦除, 抹掉
drop, ditch, throw away, delete
clear, forget, discard, throw away, start afresh, 忘掉, 丢弃
update, correct, fix up, touch up, rewrite, reword, rephrase, overhaul, set to, turn to, switch to, make it, adapt, adjust, tweak, 改, 改写, 调整, 订正, 修订, 换成
update, rename, relabel, retitle, change name, give another name, give a new name, call it differently, different name, 改名, 更名
edit, rework, correct, 改动
replace, put instead, exchange, swap out, override, overwrite, rewrite, 换掉
create, open new, start new, begin, found, establish, set up, launch, produce, draw up, come up with, register, introduce, need a, i need, 开一个, 建一个, 弄一个, 做一个, 生成, 开设, 设立
generate, produce, make, build from, derive, turn out, 产生, 产出
add, put, place, enter, attach, insert, supplement, put into, hang on, stick on, bring in, 放入, 放到, 加到, 加上, 附上
insert, store, put into, write into, fill in, load into, enter, 写入, 录入, 存进
add, additional, extra, one more, 额外, 附加, 再加
get, what does, what is, show me, let me see, look at, look up, open, take a look, check out, details of, tell me, find out, learn, give me, pull up, bring up, 看看, 看一下, 瞧瞧, 打开, 了解, 查一下
list, what are, which ones, which, what kind, what all, everything that, all of, do we have, do i have, are there, exist, 有哪些, 都有什么, 有什么, 全部, 所有的
list, overview, directory, catalog, inventory, 清单, 目录, 一览
find, track down, dig up, hunt, hunt down, where is, locate, turn up, look around, 搜一下, 找一下, 找找
search, google, look something up, research, dig, scour, comb, 搜, 查
count, how many, number, 几个, 有几, 多少个, 多少条
check, is it, are they, does it, did it, whether, see if, ok, in order, 对不对, 有没有, 是不是, 行不行
status, state, how is, how are, going on, still running, still going, is it done, is it finished, is it ready, ready, finished, how far along, coming along, stand, up and running, what happened to, 还在, 进行, 完成了吗, 好了吗, 怎么样, 进展如何
status, on track, going well, how it is going, 顺利
result, outcome, how did it go, went, what came out, pass, passed, fail, failed, succeed, verdict, 结果, 通过, 成绩
result, finding, output, 结果
run, go through, carry out, try, play, process, 跑一下, 跑一遍
start, fire up, bring up, spin up, power on, switch on, set going, wake, 开启, 启用
stop, shut, switch off, power off, force quit, force close, kill, terminate, end, put an end to, bring down, 关掉, 关闭, 强制关闭, 强制退出, 停掉, 杀掉, 退出
terminate, force quit, kill, exit, close, quit, 关闭, 退出
pause, put on hold, freeze, 暂缓
restart, bounce, turn off and on, cycle, 重新开始
release, give back, hand back, return, free up, no longer need, 归还, 还回, 退还
allocate, rent, borrow, reserve, book, take, hire, 借用, 租用
publish, make available, put on the web, let everyone see, go public, put online, bring live, live, make visible, post, 公布, 发表, 上架
unpublish, take down, take offline, make private, pull from the web, 下架, 撤下
send, shoot, drop a line, pass along, post, forward, fire off, 传, 传给, 发过去
submit, post, hand over, send in, 提交, 上报, 递交
publish, send off, submit, release, send all, 发出
deliver, hand over, transmit, 交付
upload, put up, put into, transfer, load up, drop into, 传上去, 放上去
download, get down, save to disk, save to my computer, grab, pull down, fetch, obtain, retrieve, get hold of, 拿下来, 存到本地
save, put away, hold on to, write to disk, keep, 存起来, 留存
fetch, retrieve, grab, pull, get, 取, 抓
copy, second version, same again, replicate, take over, mirror, 抄, 拷
duplicate, copy, second one, make a copy, one more of the same, 再来一份, 复制一份
move, put somewhere else, put into another, shift, drag to, relocate, reassign, bring over, hand over, transfer, 挪, 挪到, 搬到, 换到
transfer, move to another, hand over, pass to, 转交, 移交
convert, turn into, make into, change to, transform, render, 变为, 改为
configure, prepare, set up, get going, arrange, get ready, adjust, 准备, 搭建, 布置
setting, how is it set up, set up, arrangement, preference, 设定
connect, hook up, talk to, link up, wire up, tie to, plug in, attach, couple, 接上, 连上, 对接, 打通
connection, link, access, 连线
link, connected with, belong together, relation, tie, related, associated, 有关, 相关
disconnect, unplug, hang up, close connection, 断开
login, log on, get in, sign on, log me in, 登进去
approve, give the go ahead, green light, wave through, ok, sign off, thumbs up, 放行, 点头
reject, turn down, say no, 否决
resolve, deal with, dealt with, sort out, taken care of, settled, done, mark as done, close, tick off, handle, finished, 搞定, 处理, 已处理, 已解决
unresolve, reopen, open again, not done after all, 重新打开, 未解决
complete, wrap up, finish, conclude, done, mark as done, tick off, wind up, 收尾, 做完, 了结
archive, put away, shelve, retire, file away, mothball, hide, 收起来, 封存
unarchive, bring back, take out of the archive, get back, dig out, restore, revive, 找回, 恢复, 还原
restore, get back, bring back, recover, undelete, retrieve, lost, 找回, 丢失
revert, go back to, return to, previous state, undo, back out, 退回
cancel, call off, stop, break off, give up, 不再
unsubscribe, stop telling me, no longer notify, no longer warn, leave me alone, 别再通知
subscribe, keep me posted, let me know, keep me informed, notify me, tell me when, 通知我
notify, warn, tell me when, let me know, ping me, raise the alarm, 告诉我, 预警
alert, alarm, warning, warn, 警报, 报警
trigger, alarm, warn when, as soon as, whenever, 一旦
schedule, every night, at night, every morning, regular, recurring, 每晚, 定时
monitor, keep watch, keep track, look after, supervise, watch over, check regularly, 盯着, 看着, 值守
follow, watch, keep an eye on, keep up with, star, 关注
wait, until, hold on, 等到, 直到
validate, is it right, is it correct, are there mistakes, check for errors, proofread, in order, sound, 对吗, 有没有错
lint, check style, find mistakes, tidy code, 挑错
fix, put right, repair, make work again, cure, get working, patch up, remedy, 修好, 修理
diagnose, what is the matter, what is wrong, what went wrong, find out why, get to the bottom of, why, trouble, not working, down, sluggish, hangs, 怎么回事, 出了什么问题, 毛病, 为什么
debug, hunt down a problem, find the bug, trace, track down a bug, find the cause, 调试, 查错, 找错
analyze, look into, dig into, break down, get to the bottom of, evaluate, go through, 剖析
root cause, why, reason, what caused, how come, cause, 为何, 缘由, 根本原因, 原因
performance, sluggish, lag, slow, laggy, snappy, quick, responsiveness, takes forever, 卡, 卡顿, 慢, 快
optimize, make better, get more out of, improve, make quicker, 提升
recommend, what should i, advice, tip, hint, which is best, suggestion, idea, how should, ought to, 该怎么, 应该
best practice, how should, good way, right way, do it properly, recommendation, good, proper, standard, modern, what to mind, dos and don'ts, 规则, 规矩, 推荐做法
guide, instruction, how do i, how to, tutorial, handbook, walkthrough, directions, what do i have to do, 怎样, 怎么做, 做法, 步骤
tutor, teacher, teach, lesson, course, trainer, coach, learn, 老师, 教我, 辅导, 课程
learn, study, find out about, get to know, read up on, teach, 了解, 学
documentation, look in the manual, consult, how does it work, read up, official text, help pages, reference, instructions, faq, 资料, 文献, 手册
ask, put a question, wonder, want to know, talk to, consult, 问, 问一下, 咨询
think, brainstorm, work through, mull over, logic, puzzle, 想一想
summarize, sum up, in short, main points, key points, tldr, 归纳, 概括
plan, prepare, outline, concept, strategy, 方案
estimate, how long will, how much will, project, guess, 估计, 估算
calculate, how much is, add, what do i need, work out, figure, 算一下, 等于
sum, add, plus, together, total, altogether, 相加, 加, 和
price, what does it cost, how expensive, what would, charge, tariff, 收费, 价钱
cost, money, spend, pay, expense, burn, bill, waste, 花费, 花钱, 开销
usage, how much have we used, consumption, use up, burn, spent, 消耗, 用了多少
balance, how much money, credit, remaining money, left, 还剩
purchase, get, order, take out, acquire, obtain, buy, 买
customer, client, buyer, patron, account, clientele, 甲方
revenue, turnover, income, sales, 收入, 营收
team, squad, crew, department, staff, group, unit, 班组, 小队, 部门, 团队
group, department, division, set, bunch, cluster, namespace, 分组
member, colleague, teammate, who belongs, people in, staff, 人员, 组员
user, person, people, somebody, someone, who, anyone, visitor, individual, human, 某人, 谁, 人
viewer, me, myself, i am, am i, my account, 我自己
role, lead, leader, owner, admin, administrator, rank, position, what may, rights, 身份, 管理员, 负责人
administrator, admin, boss, root, superuser, in charge, 管理员
permission, may, allowed to, can do, let in, who can, who may, 谁能, 谁可以
access, get in, reach, enter, open to, 访问权, 进入
visitor, guest, audience, reader, 访客
organization, firm, business, corporation, employer, company, tenant, 企业, 单位
repository, project, code base, source tree, checkout, 工程
checkout, working copy, local copy, clone, folder, 工作副本
branch, line of development, main, variant, 支线
default branch, main, master, trunk, 主干
commit, revision, change, version, check in, 改动, 版本
commit, record changes, save my work, staged, 提交, 保存修改
reflog, lost commit, where branch pointed, branch pointed before, earlier positions, 引用日志, 丢失的提交
rebase, put commits on top, on top of main, replay, linear history, 放到最新
stage, mark for the next commit, next commit, prepare commit, add to commit, git add, 下次提交, 加入提交
initialize, start version control, start a repository, begin, new repository, put under version control
remote, upstream, address of the repository, server address, origin, 远端
pull request, proposed change, change waiting, suggestion, contribution, code change, patch, waiting to be merged, 改动请求
merge request, proposed change, change waiting, contribution, code change, patch, waiting to be merged, change on gitlab
review, verdict, opinion, feedback, look at changes, judge, assessment, second pair of eyes, 审阅, 评价, 意见
reviewer, who checks, judge, 评审人
diff, what changed, differences, what is new, changed lines, changes, 改了什么, 有什么变化
blame, who is to blame, who wrote this line, who touched, whose code
conflict, clash, cannot be merged, contradiction, 撞车
issue, ticket, problem report, case, item, bug report, defect report, card, request, 单子, 问题单
issue, problem, error, trouble, 毛病
comment, remark, what i wrote, what people say, what did people say, opinion, statement, reply, note, annotation, say, said, 留言, 意见, 说法
comment, story, note, remark
discussion, debate, conversation, back and forth, exchange, talk, argument, thread, who said what, 对话, 交流, 争论
emoji, thumbs up, smiley, heart, reaction, 赞, 点个赞, 点赞, 笑脸
note, jot down, write down, memo, remark, written down, 记下
draft, unpublished, not yet sent, not published yet, prepared, pending, unfinished, 未发布, 未发送, 草稿
task, to do, chore, piece of work, work to do, job, item, card, 活, 事情
subtask, smaller step, part of the task, sub step, piece, break down, smaller piece, 小任务
section, column, part of the board, swimlane, stage, heading, group, 栏, 列, 分组
board, wall, kanban, columns, 看板
milestone, intermediate goal, interim goal, goal, checkpoint, stage goal, deadline, target date, 阶段目标, 节点
initiative, strategic goal, big goal, company goal, programme, theme, objective, long term, 战略, 目标, 计划
roadmap, long term plan, where are we going, plan for the year, big plan, vision, 长期计划
cycle, sprint, iteration, two weeks, time box, 冲刺
project, undertaking, venture, endeavour, application, app, effort, 工程, 事业
application, project, app, program, product, 软件, 程序
status update, report, how it is going, progress report, news, latest report, 进度报告, 汇报
update, news, report, announcement, post, progress, 动态, 公告
announcement, news, bulletin, notice, 公告
custom field, self defined, own property, additional property, own column, extra field, 自定义
favorite, bookmark, quick access, starred, pinned, 书签
saved view, stored filter, saved filter, stored search, saved search, bookmarked search, 保存的筛选
view, filter, perspective, list, 筛选
workflow state, ticket status, stage, step, which statuses, 状态
relation, depends on, blocked, blocks, related, connected with, belongs to, 关联
due date, by when, deadline, until, 到期
label, category, tag, sticker, coloured, sort, class, classification, 类别, 分类, 归类
filter, sorting rule, rule, sort automatically, sort incoming, automatically sort, incoming mail rule, mail rule, 分拣, 邮件规则, 规则
email, mails, letter, inbox, post, correspondence, 信, 来信, 邮箱
attachment, file in a mail, what was attached, enclosed, appended, 附的文件
message, text, note, dm, line, word, post, 讯息, 通知
broadcast, tell everyone, tell all, mass mail, all followers, announcement, 告诉所有人, 通知所有人
rich menu, button menu, chat menu, tap menu, menu in the chat, menu, 菜单, 图文菜单
quota, how many may, how many left, allowance, left this month, 剩余, 上限
rate limit, how often may, too many requests, how many times, limit, attempts allowed, 频率限制, 次数限制
phone, mobile, smartphone, handset, iphone, android, cell, device, 手机
device, phone, smartphone, tablet, gadget, test phone, iphone, android, samsung, pixel, hardware, 手机, 平板
app, program, software, application, apk, ipa, 软件, 程序
real device, real phone, physical device, actual phone, 真机
live session, by hand, manually, try it myself, try out, look at it myself, myself, interactively, 手动, 亲自, 亲手
hardware button, hardware key, volume, home button, power button, volume up, turn up, louder, 音量, 实体按键
swipe, scroll, scroll down, flick, pan, 往下滚, 翻
keyboard, enter key, key, return key, escape key, shortcut, 回车
click, push, select, follow the link, choose, 点, 点一下
tab, second tab, new tab, other window, 新标签页
screenshot, what is on the screen, see what is displayed, picture of the page, what it looks like, image of, let me see, shows right now, display, 截个屏, 截个图, 看屏幕
screen size, pixels, resolution, how wide, how tall, 像素, 屏幕多大
ui, user interface, controls, what is on the screen, elements, buttons, view hierarchy, widgets, surface, 界面, 控件
element, control, button, field, 控件
visible text, what the visitor reads, readable text, written on the page, words on the page, 看得见的文字, 文字内容
html, raw source, source of the page, page source, unmodified, markup, 源码, 源代码, 原始
raw, unconverted, unmodified, as it is, original, untouched, plain, 原样, 原始
json, data file, machine readable, structured, data, 数据文件
markdown, readable, clean text, formatted text
url, address, website, link, site, 地址
page, screen, document, website, 网页
browser, internet explorer, safari, edge, web page, 浏览器
form, input mask, fill in, questionnaire, ask the user, survey, 表格
elicitation, ask the user, input from the user, put a form, question to the user, prompt the user, 询问用户
sampling, ask the model, let the model, llm, complete
network log, request the page sent, what the page loads, traffic, over the wire, requests, xhr, http calls, 网络请求, 网络日志
network, wire, internet, lan, traffic, wifi, 网
console, printed, javascript output, messages, printed messages, debug output
log, what has it reported, reported, what does it print, printed, output, what was written, messages, record, protocol, said, 打印, 输出, 记录
crash, died, fell over, blew up, went down, stopped working, fault, 崩
error, went wrong, problem, exception, failed, broke, trouble, mistake, 出错, 出问题
event, occurrence, occur, happened, incident, when did, 发生
release, version, shipped, rollout, new version, edition, 发版
deployment, rolled out, roll out, shipped, went live, published version, who deployed, put into production, 推出, 上线
deploy, live, put into service, bring to production, push to production, 投产
domain, web address, host name, 域名
hosting, web host, site, static site, where my site runs
extension, add on, plugin, additional function, module, extra, 附加组件, 加装
install, put on, get onto, set up, turn on, add, 装, 装上, 装了
installed, is on, are on, have on, 装了, 已装
serverless, function, lambda, cloud function, without servers, function app, 无服务器, 云函数
function, serverless, method, routine, lambda, 函数
virtual machine, cloud machine, cloud server, vm, instance, server in the cloud, computer in the cloud, virtual server, 云主机, 云服务器, 虚拟机
machine, server, computer, node, host, box, vm, 机器, 主机, 服务器
node, machine, server, computer, host, 机器
cluster, group of machines, farm, kubernetes, 集群
pod, container, container group, running container, workload, 容器
container, docker, image, pod, 容器
kubernetes, cluster, k8s, kubectl, openshift, kube, 集群
kubeconfig, kubectl settings, cluster configuration, kubectl, which cluster
helm, chart, kubernetes package, charts, cluster application, 应用包
namespace, area, compartment, partition, project, 命名空间
scale, more machines, fewer machines, replicas, bigger, smaller, copies, 实例数
disk, hard drive, hard disk, ssd, virtual drive, drive, volume, 硬盘, 云硬盘, 盘
storage, hard drive, disk space, room, space, where files are, 空间
size, how big, how large, room, space, takes up, how much space, 多大, 占用
database, data store, db, data, tables, 库, 数据库
collection, set of documents, table, group, 集合
document, record, entry, object, 条目
record, entry, data set, row, item, piece of data, vector, 数据, 条
insert, put in, add records, new records, write records, 存入
table, list of rows, sheet, 表
schema, what fields, which columns, layout, how is it built, composed of, consist of, make up, structure, 由什么组成
index, vector store, search structure, lookup, 索引
vector, embedding, semantic search, meaning, 向量
vector index, vector store, vector database, semantic store, store of vectors, embeddings store, 向量库
knowledge base, handbook, collected knowledge, answers, source of knowledge, 知识
search service, search engine, search index, full text
metasearch, meta search engine, search engine, several search engines, searxng
stream, event stream, event hub, data stream, streaming, kafka, 数据流
real time, live, instantly, at once, immediate, signalr, websocket, 实时
messaging, chat, text messages, sms, send messages, 消息
queue, line, waiting, waiting list, 等待
sync, keep in step, keep the same, keep up to date, keep current, match, mirror, continuously copy, on both sides, 保持一致, 一致
sync group, endpoint, server folder, on premises, office server, file server, local server, 本地服务器, 文件服务器
endpoint, folder, server path, address, 路径
file share, shared drive, network share, shared folder, nas, 共享盘
snapshot, copy, state at a time, frozen copy, save point, backup, 快照, 副本
file system, filesystem, parallel file system, lustre, hpc storage, 文件系统
import, pull from, copy in, load from, bring in, take in, get into, 拉进来
export, copy back, write back, copy out, push out, get out, 导出, 写回
automatic, all the time, constantly, continuously, always, by itself, on its own, permanently, 一直, 自动, 持续
auto import, continuous import, import automatically, keep importing, pull new files
auto export, continuous export, export automatically, automatic copying, copy back
network size, subnet, how large a network, ip range, address range, 子网
subnet, network, address range, ip range, 子网, 网段
firewall, who may connect, block traffic, open a port, ip address, let an address in, 防火墙
monitoring, telemetry, observability, watch, measure, instrumentation, tracing, 遥测, 监测, 埋点
instrumentation, telemetry, add monitoring, tracing, measure my application, observability, 埋点
workbook, monitoring report, report, dashboard, notebook, analysis page, 报表, 报告
report, dashboard, workbook, figures, evaluation, 报表
metric, figures, numbers, load, cpu, how busy, utilization, busy, memory usage, 负载, 繁忙
statistics, figures, numbers, how busy, in numbers, key figures, in detail, how many, 数据
usage, utilization, busy, load, how busy, underused, idle, 使用率, 利用率
underused, too big, oversized, bigger than needed, idle, wasted, wasteful, under utilized, more than we need, 浪费, 闲置
resource class, build machine, machine type, machine size, 机型
test, try, exam, check, unit tests, automated test, 测
test case, written test, test steps, scenario, what to test, 用例
test result, passed, failed, outcome, manual test, 通过
test run, execution, round of tests, 一轮测试
code generation, record my actions, record what i do, turn into a test, watch what i do, recorder, 录制, 录下来
recording session, recorded actions, recording, actions i recorded
flaky test, sometimes fails, now and then, random failure, 偶尔失败
compile, build, built, compiled, 编译好
app path, where is the app, location of the app, build output, where did it end up, end up, 在哪里
path, where, location, place, folder, 路径, 在哪
simulator, virtual iphone, iphone simulator, ios simulator, virtual phone, 模拟器
xcode, ios, iphone, ipad, apple, swift, mac, 苹果
ci, continuous integration, build server, build pipeline, automatic build, builds, 持续集成
credit, ci credit, points, usage, 额度, 积分
configuration file, yaml, yml, config, 配置文件
pipeline, automatic build, build process, chain, 流水线
catalog, directory, register, list, inventory, catalogued, 目录
discover, unknown, not yet known, not catalogued, find new, uncover, 未登记, 未知
discovered service, unknown api, shadow api, not catalogued, undocumented
specification, api description, description of the api, interface description, contract, api definition, 接口描述, 接口定义, 接口说明, 接口文档
spec, api description, interface description, contract, api definition, description of our service
definition, description, complete description, whole description, 说明
api, interface, service, rest, backend, 接口
service, api, application, system, 服务
collection, set of requests, request collection, group of requests, api requests, saved requests, 请求集合, 接口集合
collection folder, group of requests, folder of requests, sub folder
response, sample answer, stored answer, example answer, answer, what comes back, reply, 示例响应
sample, example, for instance, 样本
environment, variables, staging, production, set of variables, group of variables, stage, test environment, 变量
environment, staging, production, dev
mock server, fake server, pretend server, dummy server, simulated server, 假服务器
server response, error text, error answer, fake answer, simulated error, 错误响应
sdk, client library, client code, code library, library for our api, python client, java client, 客户端代码, 代码库, 客户端库
generate sdk, client library, library for, client code
duplicate collection, copy of my collection, second copy
audit log, who did what, who deleted, who changed, who did it, what has been done, trail, logbook, protocol, 谁删了, 谁改了, 操作记录
audit, security check, is it safe, safe, secure, inspection, check up, 体检, 安全检查, 安全性
security, safe, safety, protected, hole, hackers, attack, 安全性
credential, password, login data, secret, stored password, keys, access data, 账号密码
two factor, second factor, factor, authenticator app, additional login, 双因素, 第二因素
factor, second factor, authenticator, device for logging in
verification, code, prove, identity, confirm the number, is it really, 核实
verification code, code, passcode, typed code, digits, sms code, 验证码
oauth application, app that may log in, third party app, integration, login app, register an app, 第三方应用
integration, connected service, third party, connection, 集成
webhook, tell my server, call my url, events to my url, 回调
secret, signing key, shared secret, 签名密钥
template, ready made, prefabricated, blueprint, model, finished example, off the shelf, 现成, 样板
module, building block, ready made part, component, reusable part, 积木
policy, compliance rule, rule set, set of rules, guard rail, regulation, requirement, 合规, 政策, 策略
compliance, rules, regulations, conform, 合规
provider, vendor, what does it offer, offers, platform, 厂商
data source, what can i read, existing infrastructure, look up existing, 数据源
infrastructure, servers, environment, cloud resources, 基础设施
terraform, infrastructure as code, iac, hcl
argument, input, parameter, what does it take, takes, option, 输入
input, what it takes, takes, argument, 入参
workflow, automation, automated process, n8n, flow, automations, zap, bot, 自动化流程
execution, last night, ran, run, how did it go, past run, history of runs, 执行记录, 运行记录
folder, tidy into, directories, drawer, sort into, 归类
agent, bot, ai helper, assistant, 助理
language model, chat, gpt, ai, 大模型
locale, translation, other language, translate, language version, secondary language, 多语言, 译文
translate, translation, in another language, language version, locale, 译
static content, fixed text, text of a page, wording, 固定文字
cms, blog, website content, content management, blog entry, blog post, entries, webflow, 内容管理
collection item, blog entry, blog post, article, entry, 博文
item, blog entry, post, piece, entry, 项
field, date column, column, additional column, extra column, property, 一列
variable, brand colour, colour, design value, constant, 常量
style, look, appearance, colour, font, design, brand colour, css class, 外观
metadata, title, description, preview, social media, shared, open graph, keywords, 预览
seo, title, search engines, findability, found, google, meta description, findable, 搜索排名
open graph, preview picture, social media, when shared, preview, 社交媒体
accessibility, blind, disabled, disability, handicapped, impaired, usable for everyone, usability, screen reader, deaf, wheelchair, barrier, 残障, 盲人, 视障
audit, check up, complete check, inspection, examine, go over, all round check, 全面检查
web standards, best practice, modern, state of the art, quality, properly built
site, web presence, homepage, online presence, web app, 网页
store, web shop, online shop, shopify, e shop, 网店
theme, template, look of the shop, liquid, shop design, 主题
call, phone call, telephone conversation, conversation, ring, 通话
conference, phone conference, group call, conference call, telephone conference, 会议电话, 电话会议
participant, somebody in the call, person, attendee, caller, somebody, 某人, 与会人
recording, audio, audio of the call, what was recorded, taped, sound, 录音, 音频
transcription, as text, what was said, written version, in writing, said, spoken words, text of the call, 文字稿
phone number, numbers, telephone number, number, line, area code, 号码
local number, area, in the area of, city, region, area code, near, 本地号码
available, could i buy, to buy, can be bought, on offer, free, still free, for sale, in stock, 可购买
address, street, where we are, office, postal, location, 住址
messaging service, sender pool, sms service, numbers for sending
usage trigger, warn about spending, spending alarm, budget alarm, when it gets expensive, cost alarm, spending limit
all time, altogether, since the beginning, so far, ever, total, overall, 总共, 一共, 累计
today, this day, last day
last month, monthly, previous month, 上个月
subaccount, sub account, separate account, 子账户
short code, short number, five digit number, 短号
tollfree, toll free, free number, 800 number, 免费电话
caller id, displayed number, which number they see
queue, waiting callers, hold line
map, city map, picture of the area
directions, way to, how to get there, take me to, navigate, 怎么去
geocode, where on the map, position of an address, latitude
nearby, close by, around here, in the neighbourhood, in walking distance, 周围
elevation, above sea level, how high, mountain
isochrone, within reach, how far can i get, within ten minutes
weather, sunny, umbrella, degrees
time, what time, clock, hour, o'clock
echo, say back, repeat, same back, parrot, mirror back, 重复, 复述
image, picture, logo, drawing, icon, photo, 图
upload, picture into, embed, put a picture, attach, put a file
markdown, embed, insert into text
video, film, what happened on the screen, screen video, recording, 影片
pdf, paper, print out, document
file, paper, data
content, what is in, what it says, inside, 里面有什么
batch, at once, in one go, a hundred, many, dozens, in bulk, all together, twenty, several at a time, en masse, 一次性, 一次全部, 成批
all, every, each, everything, complete, whole, 全部
best, good, most relevant, top, first, ranked, best ones first, 最好
latest, newest, this morning, up to date, last, freshest, 最近一次
obsolete, outdated, old, no longer used, stale, not used any more, 过时, 陈旧
additional, further, extra, as well, 另外
personal, own, mine, my, 我的
public, open, anyone, everyone, 公共, 公开的
production, live, real users, customers see, 生产环境, 线上
parallel, at the same time, simultaneously, 并行
`;
