/** Hints to tools for software development and planning. The format is described in `groups.ts`. */
export const DEVELOPMENT_HINTS = `
stash: aside, shelve, half finished, unfinished work, for later, put away, uncommitted, work in progress, temporarily, park, 先放一边, 搁置, 半成品, 没写完
stage, add: next commit, prepare, include in the commit, ready to commit, 准备提交, 加入下次提交
unstage, reset: take out of the commit, not commit after all, undo, roll back, throw away commits, 丢弃提交
commit: check in, snapshot of my work, record my work, save my work, saved state, changeset, revision, 存档, 保存进度, 记录一次改动
git commit: save changes, record changes, 记录修改
git push: upload, publish my work, send to the server, share my commits, up to the remote, 传到远程, 上传提交
git pull: get latest, newest changes, newest code, up to date, bring down, catch up, 拉下来, 同步最新代码
git fetch: look what is new upstream, remote changes without merging, 只下载不合并
git log, commit history: who committed, what happened in the code, past commits, earlier commits, recent commits, timeline, 提交过哪些, 最近的提交, 改过什么
git status: touched, untracked, modified files, pending changes, dirty, uncommitted, not committed, local changes, what have i changed, changed so far, 改动了哪些, 没提交, 未提交, 本地修改
diff: compare, side by side, changed lines, what is different, what did change, altered, before and after, touched, 改了哪些, 哪里不同, 前后对比
blame: who wrote, whose fault, guilty, responsible for this line, last touched, who introduced, author, 谁写的, 谁改的, 罪魁祸首
checkout: switch, jump, change over, hop, go over, other branch, different branch, restore a file, 切到, 切换到, 换到, 跳到
git branch: line of development, parallel version, variant, 分叉
worktree: two branches, side by side, second folder, separate folder, several working copies, without switching, 多个工作区, 同时打开两个分支
clean: untracked, junk, leftover, clutter, sweep, garbage, build products, tidy, wipe, never added, not under version control, generated files, 清扫, 垃圾文件, 多余的文件, 清掉, 未跟踪, 没有纳入
git clean: not tracked, never added, stray files, leftover files
git tag: version mark, mark a release, milestone of code, stamp, name this version, 打标签, 版本号, 标记版本
cherry pick: single commit, one commit, just that fix, only that change, pick out, take over a fix, 单独拿过来, 只要那一个提交
rebase: on top of, linear, straight history, replay, move my commits, tidy history, reorder commits, 接到最新, 整理历史
merge: combine, bring together, unite, integrate, bring into, fold in, 合到, 合进, 并入, 合起来
reflog: lost commit, lost work, rescue, where was, previous position, went missing, accidentally, 找回丢失, 误删
remote: where does it push to, origin, upstream url, 远端地址
clone: get the code, copy of the repository, local copy, download the code, check out, 拉取仓库, 下载代码
git init, initialize: start tracking, version control, put under version control, begin a repository, brand new repository, 开始版本管理, 纳入版本控制
bisect: which commit broke, since when broken, 哪次提交引入
changelog, release note: what is new, news in this version, changes since the last version, summary of changes, 新版本有什么, 更新说明
wrapup, wrap up: finish the session, before i finish, end of work checklist, 收工, 收尾
working dir, working directory: which folder, work in this folder, from now on, current folder, default folder, 工作目录, 当前文件夹
repository, repo: code base, project, sources, source tree, package, library code, 代码仓, 源码仓库
fork: own copy, my copy, personal copy, copy into my account, copy of somebody's, 复制到我的账号, 自己的副本
pull request, merge request: proposal, proposed change, patch, contribution, change set, code change, submit my work, submission, suggested change, ready for review, mr, pr, 改动提案, 代码改动, 合入请求
create pull request, create merge request: propose, ask to merge, hand in, suggest my change, offer my branch, get my branch into main, 发起合并
merge pull request, merge merge request: accept, take over the change, land, bring into main, get it in, let it in, 合入主干
review: second opinion, look over, judge, give feedback, assess code, needs work, looks good, lgtm, verdict, request changes, 审一下, 把关, 过目
approve: agree, sign off, ok, green light, thumbs up, let through, accept, give my blessing, 通过, 放行
unapprove: withdraw my approval, take back my ok, changed my mind, no longer agree, 撤回批准, 撤销批准
approval state, approval: who agreed, who signed off, enough approvals, still missing, votes, 谁批准了, 谁同意了
reviewer: who should look, who checks
conflict: clash, collide, contradict, cannot be merged, both changed, overlap, 冲突, 撞了, 不能合并
draft note, draft: unsent, not visible yet, unpublished, not yet public, only i can see, work in progress remark, 未公开, 没发出去
publish draft note: make my remarks visible, send my remarks, submit my review, 公开我的意见
note, comment: remark, say something, write under, leave a message, reply, respond, opinion, wrote, said, mention, jot, 说一句, 写一句, 留个言, 回一句
resolve thread, resolve comment, resolve: settled, cleared up, done, answered, taken care of, closed discussion, 已处理, 解决掉
discussion, thread: talk, exchange, back and forth, debate, who said what, argue, 聊了什么, 讨论了什么
emoji reaction, reaction, react: like, thumbs, heart, smiley, applaud, cheer, rocket, laugh, celebrate, 点赞, 喜欢, 鼓掌, 表情
delete emoji reaction, remove reaction: take back my like, no longer like, unlike, 取消点赞
protected branch, protect branch, protect: lock, locked, forbid, may not push, no direct pushes, guard, safe from changes, closed to pushes, not allowed to push, 锁住, 禁止推送, 受保护, 不允许直接推送
unprotect branch, unprotect: let everyone push again, open up, unlock, 解除保护, 放开
default branch: main line, trunk, which branch is main, starting branch, 主分支
issue, ticket: bug, problem, defect, work item, case, complaint, story, request, report, matter, 单子, 问题, 需求单, 故障单
create issue: file, raise, log a bug, report, open a case, write down a problem, 提单, 提一个, 报一个
list issues, get issues, search issues: which tickets, open problems, known bugs, what is open, unsolved, outstanding, 未解决的, 还开着的
my issues, assignee: assigned to me, mine, on my plate, my work, for me to do, i have to do, my tickets, 分给我的, 我负责的, 轮到我, 我的工单, 指派给我
assign issue, assign: give to, hand to, hand over, who should do, responsible, take over, pass to, put somebody in charge, delegate, 交给, 派给, 安排给, 让谁做
issue priority, priority: urgent, important, more urgent, less urgent, how pressing, rush, escalate, asap, critical, 加急, 着急, 要紧
issue link, issue relation, relation: belongs together, same topic, blocks, blocked by, caused by, connected tickets, duplicate of, depends, 有关联, 互相关联, 阻塞
issue history: who changed the ticket, what happened to the ticket, when was it changed, 变更过程
transfer issue: other team, move to another team, wrong team, 换团队, 转到别的团队
duplicate issue: same ticket again, second copy of a ticket, 复制工单
archive issue: put the ticket away, no longer relevant
convert issue subtask: make it part of, put under another ticket, 变成子任务
subtask: smaller steps, split, break up, parts of, substeps, divide, piece of the task, children, 拆成, 小步骤, 拆开
parent: belongs under, above, put under, make it part of, higher level, 上一级, 挂到
dependency, dependencies: cannot start before, wait for, has to be finished first, blocked, first, requires, prerequisite, before that, 先完成, 前置, 等待另一个
dependent: what waits for, blocks others, comes after, 后置
task, todo: chore, errand, job to do, work, things to do, piece of work, assignment, item on my list, 事情, 要做的, 活儿
my tasks, get my tasks, list todos: on my plate, what do i have to do, what should i work on, my work today, my to do list, assigned to me, waiting for me, 我要做什么, 我的任务, 今天要做
mark todo done, complete task: finished, tick off, cross off, did it, dealt with, 做完了, 打勾, 勾掉
task count: how many tasks, number of tasks, how much is left, 多少任务
section: column, heading, group in the board, block of tasks, lane, bucket, 栏目, 列
add task to section: move into column, move to another column
milestone: intermediate goal, target date, interim goal, checkpoint, big date, stage, delivery date, 阶段目标, 节点
cycle: sprint, iteration, two weeks, current period, time box, this round, 冲刺, 这一轮, 本周期
active cycle: current sprint, running sprint, what are we working on now, this sprint, 本次冲刺, 正在进行的冲刺
complete cycle: end the sprint, close the sprint, sprint is over, 结束冲刺
cycle stats: how is the sprint going, burndown, velocity, 冲刺进展
backlog: open work, pile of work
initiative: big goal, strategy, company goal, objective, theme, long term goal, programme, okr, 公司目标, 战略目标
roadmap: where are we heading, plan for the year, long term plan, future plans, what comes next, 规划, 未来计划
release: version, ship, delivery, new version, rollout, launch, publication, went out, 版本, 发版, 上线
release stage, stage: phase, step of the process, beta, rollout step, 阶段, 环节
release pipeline: process of shipping, way to production, delivery process, 发布流程
release note: what is new, news for users, announcement of a version, 版本说明
project update, status update: report, how is it going, weekly report, news, progress report, write a report, where do we stand, 周报, 进展汇报, 汇报进度
initiative update: report on the goal, news of the goal
project status: how is the project doing, on track, at risk, delayed, green, red, where do we stand, 项目进展, 是否顺利, 延期
project: undertaking, product, venture, effort, piece of work, 项目
project member, add project member: who works on, put on the project, join the project, take part, 参与项目, 项目里的人
custom field: own field, extra column, additional property, our own attribute, self defined, special value, 额外字段, 自定义列, 附加属性
workflow state, workflow states: columns, statuses, steps, which states, in progress, stages of a ticket, 有哪些状态, 流程状态
template: pattern, usual form, prefilled, boilerplate, blueprint, standard text, form, mould, 样板, 套用, 固定格式
create issue from template: following the usual pattern, prefilled ticket
label, tag: marker, category, sticker, keyword, mark, colour code, group by, classify, badge, hashtag, 分类标记, 标识, 归类
add label, add tag: stick on, mark as, classify, flag, 打上, 贴上, 标上
remove label, remove tag: take off, unmark, no longer, 撕掉, 去掉标记
saved view, view: stored search, filter i keep, my filters, perspective, own list, 保存的筛选, 常用筛选
favorite: bookmark, star, quick access, pin, keep at hand, shortcut, 收藏, 置顶
notification: news, what is new, bell, updates for me, inbox, notices, mentions, 消息提醒, 新消息
mark notification read, mark all notifications read: seen, clear, got it, 看过了, 清零
unread notification count: how many new, how many unread, anything new, 有几条新
subscribe issue, subscribe: follow, keep me posted, watch, tell me about changes, stay informed, updates about, 持续关注, 有变化通知我
webhook: call my server, notify my system, inform another program, push events, callback url, automatically tell, ping my url, 回调地址, 推送到我的服务器
integration: connected service, connected tools, linked apps, third party, plugged in, 接入了哪些, 外部服务
attachment: file, screenshot of, document attached, upload to the ticket, link to the ticket, evidence, enclosed, 附上, 带的文件
customer: client, buyer, account, company that buys, patron, 买家, 甲方
customer need: wish, request from a client, what clients want, demand, feature request, asks for, 诉求, 客户想要
customer tier: important clients, class of clients, level of client, 客户等级
customer status: kind of client, lead, active client
team: group, crew, squad, department, unit, people i work with, colleagues, 小组, 班子
team membership, team member, member: who is in, who belongs, people in, join, colleague, staff, take part, belongs to, 谁在, 有谁, 成员有哪些
update team membership, role: make owner, promote, demote, make admin, change what he may do, rights in the team, 提升为, 降级, 改角色
add user to team, add member: bring in, take in, let join, new colleague, enrol, 拉进, 拉人, 加人
remove user from team, remove member: kick, throw out, leave, fire, no longer part, left the company, 踢人, 移出, 离职
viewer, whoami, current user, authenticated user: who am i, my account, my name, logged in, me, my profile, 我的账号, 我是哪个用户, 登录的是谁
user: person, people, colleague, employee, somebody, member, who, 人, 哪个人
organization: company, firm, our business, workspace, 企业, 单位
session, authentication session: logged in devices, where am i logged in, open logins, active logins, 登录过的设备, 在哪登录
logout session, logout: sign out, log off, end login, kick out device, 退出登录, 下线设备
logout other session: sign out elsewhere, all other devices
audit, audit event, audit log: who did what, trail, who deleted, who changed, traces, record of actions, admin actions, suspicious, 谁干的, 操作痕迹, 谁删的, 谁动了
oauth application: third party program, let an app log in, client id, app registration, 第三方登录
rotate secret, rotate: new secret, change the secret, replace key, leaked, renew, compromised, 换密钥, 泄露后更换
rate limit: how many calls, too many requests, throttled, slowed down, requests left, how often, times per hour, times per minute, only so many, 调用次数, 限速, 频率, 每小时几次
document, documents: text, page, paper, write up, wiki page, written down, notes, article, spec sheet, what we wrote, 写的东西, 资料, 文稿
document content history: earlier versions of the text, how the text changed, 文档历史版本
wiki: handbook, internal pages, knowledge pages, 知识页
pipeline: ci, build, automatic build, continuous integration, build process, build chain, deployment job, 构建流程, 自动构建
pipeline status: did the build pass, is the build green, red, broken build, build state, did it go through, 构建成功了吗, 过了没有
run pipeline, trigger pipeline: kick off, start the build, build again, set going, 开始构建, 触发构建
rerun workflow, retry, rerun: another go, again, once more, one more time, try again, repeat, second attempt, retrigger, 再跑, 再试, 重来, 再来一次
cancel pipeline, cancel job: stop the build, abort, break off
rollback, run rollback pipeline: go back, previous version, undo the release, old version again, take back a release, revert, 退回上一版, 回到旧版本
build failure, failure log, build failure log: why did the build break, red, what broke, error in ci, went wrong, does not build, 构建为什么失败, 哪里出错
flaky test, flaky: unreliable, sometimes fail, now and then, random, unstable, intermittent, works on retry, not deterministic, 时好时坏, 不稳定, 偶尔失败
test result, job test result: did the tests pass, which tests failed, how many passed, green, red, 测试通过了吗, 哪些测试失败
coverage, coverage report: how much is tested, tested code, untested, lines executed, covered, how well tested, not tested, 没测到, 测到多少, 测试覆盖
artifact: files produced, output files, build output, what came out, binaries, results of the build, 构建产物, 产出的文件
followed project: which projects do i watch, my ci projects, 关注的项目
component version, component versions: deployed versions, which version runs, older builds, 部署过的版本
underused resource class: oversized, too big, waste, save money on builds, idle machines, expensive builds, cheaper, 资源浪费, 机器太大
usage data: consumption export, credits used, what did we consume, 用量明细
config helper, ci lint, validate ci lint, lint: yaml rejected, yaml mistakes, is my ci file right, syntax of the pipeline file, invalid configuration, 配置写得对不对, 配置有误
lint file, lint: style, mistakes in the code, code quality, sloppy code, find mistakes, typescript, javascript, coding standard, clean code, static check, code smell, conventions, 代码规范, 代码风格, 代码质量, 代码检查, 静态检查
format code, formatter: tidy my code, indent, pretty, 排版代码
refactor: restructure code, clean up code, rename symbol, 重构
search code: where is it used, who calls, usages, find function, find in sources, method, class, find snippet, occurs in code, example code, 搜代码, 在哪用到, 谁调用
search repository: find a project, open source library, is there a project for, 找项目, 开源项目
search user: find a developer, look up a person, who is, 找人
file content, get file content, read file: what is in, open, look into, readme, source of, print the file, cat, text of the file, 文件里写了什么, 打开文件
repository tree, directory tree: folder structure, which files, layout of the project, overview of files, 目录结构, 有哪些文件
create or update file, write file: save, put text into, change a file, edit, overwrite, 写文件, 存成文件
push file: several files, upload files, commit many files, 一次提交多个文件
namespace: area, group path, compartment, scope, 空间
ci catalog, catalog resource: reusable pipeline parts, ready made ci components
group: department, division, subgroup, collection of projects, 群组
deploy key: machine access, key for the server
environment variable, env: settings of the process, configuration values, variables, started with, shell variables, 环境配置, 运行参数
docs, documentation, search docs, search documentation: manual, handbook, official help, how does it work, reference, read up, guide, look it up, help pages, instructions, tutorial, according to, explained, 官方文档, 手册里, 查文档, 说明书
best practice: conventions, how should i, right way, dos and donts, good style, recommended way, rules for coding, stick to, quality standards, house rules, 规范, 惯例, 推荐写法, 怎样写才好
tutor: teach me, learn, lesson, explain to a beginner, course, step by step learning, coach, exercise, 教我, 入门, 从零学
migration, migrate: modernise, upgrade, move away from, bring up to date, convert old code, port, switch over, transition, 改造, 升级旧代码, 换成新的
project scaffold, scaffold, create project: starter, skeleton, new app, begin a project, set up from scratch, 起步项目, 脚手架
dependency package, package: library, module, third party code, 依赖包
scheme: build target, what can be built, 构建方案
build setting: compiler options, build options, compile settings, 编译选项
bundle id: app identifier, identifier of the app, package name, 应用标识
build, compile: make an executable, does it compile, translate the code, put together, 编译, 打包应用
build run simulator, launch app simulator: try my app, see my app, in action, start my program, run on iphone, 跑起来看看, 试运行
boot simulator, open simulator: start the virtual phone, show the simulator window, 打开模拟器
simulator: virtual phone, virtual iphone, fake phone, pretend device, 虚拟手机
test simulator, run test: unit tests, do the tests pass, execute tests, check my code works, 单元测试, 跑测试
test case: scenario, what to test, written test, test description, check list, 测试用例, 测试场景
test plan: what will be tested, testing strategy, overview of testing, 测试计划
test run: execution, round of tests, test session, campaign, 执行轮次, 测试轮次
add test result: note that it passed, record outcome, test failed note, mark as passed, 记录测试结果
requirement file, product requirement: spec document, requirements, prd, what the product must do, 需求文档, 需求说明
self healing, self healed selector: broken selectors, element not found, repair tests, tests break after redesign, locator, 自愈, 修复定位
root cause, rca: why did it fail, reason, what is behind, ai explanation, what went wrong, 失败原因, 根因
visual test, percy: looks different, appearance changed, pixel, layout broken, looks the same, visual difference, screenshots compare, 外观变化, 界面变了, 视觉对比
snapshot test: picture comparison
live session: by hand, myself, click around, real browser, try it out, real device, manually, on a mac, safari, internet explorer, 亲自试, 手动试, 真机
codegen session, code generation, start codegen session: record my clicks, record what i do, watch me, write a test from my actions, macro recorder, 录下操作, 录制操作, 生成测试脚本
workflow: automation, automatic process, flow, zap, routine, recipe, scenario, automated steps, 自动化, 自动流程
activate workflow, publish workflow: switch on the automation, turn on
workflow version: earlier state of the automation, undo changes of the automation, 流程旧版本
execution: run, past runs, what happened last night, did it run, job history, 跑过的记录, 运行情况
autofix, autofix workflow: repair, mend, put right automatically, correct by itself, 自动修好
search node, node: building block, step of an automation, connector, integration for, app action, 节点, 积木
credential: password, login, access data, account for, secret, key, sign in data, 账号密码, 登录信息
data table: own table, rows, store values, spreadsheet
health check: is it alive, up and running, reachable, does it still work, online, responding, 还活着吗, 能用吗, 正常吗
evaluation: how good is, quality test of ai, score the answers
debugger mode, debug: hunt a bug, find the fault, does not work, track down, why does it fail, troubleshoot, 查bug, 找毛病
exception, error: crash, failed, broken, went wrong, thrown, bug in production, red message, problem, 报错, 出错, 抛异常
search issue event, search event: errors of last week, find crashes, when did errors occur, how often crashed, 查报错
issue tag value: which browsers affected, how are errors distributed, who is affected, which users, 影响哪些, 分布
replay: watch what the user did, user session video, see the clicks, 用户操作回放
profile details, profile: where is time spent, slow functions, hot spot, cpu time
dsn: address for error reports, key for sending errors, connect my app to the error tracker, where to send errors, ingest key
analyze issue, seer: ai explains the bug, let ai find, automatically find the cause, suggest a fix, why does it crash, root cause, 让ai分析, ai找原因
trace: follow a request, request path, distributed, 链路
event attachment: file of a crash, dump, uploaded with the error
find release: which version is live, recent versions
monitor: watch, keep an eye, check regularly, every hour, every five minutes, alarm when down, still answers, uptime, scheduled check, 定期检查, 每小时检查, 盯着
log: what was printed, output, messages, recorded, trail, what happened, history, 打印了什么, 输出了什么, 记录
stash: hide my edits, current edits, something else first, interrupted, come back to it, not ready to commit, 手头的改动, 藏起来, 先藏, 临时保存
git init: begin tracking, track this folder, put under git, 纳入版本管理, 开始跟踪
git rebase: what the others did, after theirs, on the newest, 接在最新
list followed project: keep track of, builds i watch, projects i care about
audit event action: which actions are recorded, kinds of recorded actions
event, list event, project event: activity, what did i do, what happened in the project, who pushed, recent actions, my activity, 做过什么, 最近做了什么
commit status: checks of a commit, did the checks pass, build state of a commit, external check, 提交的检查结果
commit diff: what did this commit change, lines of a commit, 这次提交改了什么
issue description patch: small change of the description, correct a sentence in the ticket
iteration: sprint, cycle, two week period, 迭代
upload markdown: picture for a ticket, embed a file, image in a comment, insert an image
discover tool: which further functions, what else can you do, more tools, activate more, 还能做什么
auth callback: finish the login, after signing in, return from the login page, 登录回调
authorization url: link to log in, where do i give permission, consent page, 授权链接
search issue identifier: tickets by number, known numbers, several tickets by id
changed file: edited sources, which files were edited, touched files, files affected, 改动了哪些文件, 改了哪些文件, 涉及哪些文件
merge pull request, merge merge request: it is fine, take it in, contribution is good, bring the contribution in, 合进去, 接收贡献
search repository: open source library, existing project, somebody else's code, 开源库
issue template: fixed form, ticket form, bug report form, questionnaire for tickets, 固定模板, 工单模板
delete webhook: stop calling my server, no more callbacks, do not inform my system, 别再通知
milestone: parts delivered, delivery, when must it be finished, by when, deadline of the parts, 交付时间
create section: another column, new column on the board, 加一列, 新增一列
delete task: scratch, cross out, drop the chore, task is obsolete, 划掉, 不做了
search template: somebody has already built, ready made flow, existing solution, off the shelf, 现成的流程
test plan: scope of testing, what do we test, 测试范围
list test case: which checks, written checks, existing checks, 有哪些检查
update test run: more checks, add checks to the round, rename the round
failure log: automated run broke, what did the run write, messages of the failed run
full workflow update: rewrite the whole automation
partial workflow update: small change of the automation, add one step, 改一个步骤
health check: reachable, connects, does it answer, still there, 连得上, 能连上, 通不通
quality gate, build insight: is the build good enough, quality of the build, 质量门
lca step, low code automation: automate a written test, test without code
enabled tool: what may i use, why is a tool missing, available functions
session default, show default: presets in force, what is preset, remembered values
open simulator: look at the virtual phone, show the simulator
commit, git show: contents of a commit, look at one commit, 某次提交
search issue event: occurrences of one crash, every time it happened, 发生在什么时候, 每次发生
create project: new app whose errors, start collecting crashes, 接入新应用
`;
