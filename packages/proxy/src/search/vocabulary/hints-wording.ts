/** Hints to the verbs of tools, and to words such as `list` and `count`. The format is described in `groups.ts`. */
export const WORDING_HINTS = `
list, get all: which, what kinds, what sort, all the, show all, have we got, do we have, are there, exist, enumerate, overview, what is there, everything, 有哪些, 都有哪些, 哪几个, 都有谁, 列一下, 看看有哪些
get, fetch, detail: about, more about, what is, what about, particulars, tell me about, look at, open, closer look, information on, 详情, 具体, 看一下, 是什么
count: how many, how much, number of, amount, quantity, 几个, 多少, 数一数
search, find: looking for, where is, where are, hunt, track down, is there a, any, look up, trace, dig, 找, 找找, 查一查, 有没有
create, add, new: make, set up, need a, want a, open, start, begin, establish, put in, another, extra, introduce, 建, 弄个, 开个, 来一个, 新的, 添
update, edit, modify, patch: change, correct, rewrite, reword, rename, adjust, fix, alter, replace, set to, different, another, no longer the right, move, put right, rephrase, make it, typo, 改, 改成, 改掉, 换成, 调整, 修正
delete, remove: get rid, throw away, not need, no longer, any more, take away, take out, take off, scrap, dump, gone, forget about, erase, withdraw, retract, clear out, kick, drop, ditch, unwanted, superfluous, obsolete, 不要了, 不需要了, 删掉, 去除, 扔了, 撤掉, 清掉
remove from: does not belong, take out of, belongs elsewhere, no longer part, leave, pull out, exclude, 不属于, 移出
add to: put into, belongs to, include, make part of, bring into, assign to, attach to, 放进, 归到, 纳入
archive: put away, finished with, retire, shelve, hide, no longer active, out of sight, 收起来, 封存
unarchive: bring back, get back, again, revive, needed again, after all, restore, 重新启用, 找回来, 恢复
restore, recover: get back, undo deletion, bring back, rescue, 找回
cancel: stop, call off, break off, give up, abort, do not want any more, interrupt, 不做了, 中断, 停掉
start, run, trigger, launch: set going, kick off, begin, fire, let it run, go, carry out, do it now, 开始, 跑, 跑一下
stop, end: halt, finish, enough, put an end, quit, no more, 停, 结束掉
restart: again, from scratch, reboot, turn off and on
pause: for a moment, interrupt, hold, break, 暂停, 先停
resume: go on, continue, carry on, 继续
enable, activate, toggle: switch on, turn on, make active, 打开, 开启
disable, deactivate: switch off, turn off, make inactive, 关上, 停用
validate, verify, check: is it right, correct, make sure, any mistakes, wrong, does it work, is it ok, in order, proper, test whether, sound, 对不对, 有没有错, 是否正确, 行不行
status, state: how is, how far, going, finished, still running, progress, ready, done yet, condition, where do we stand, 怎么样了, 进展, 到哪一步, 好了吗
history, version: earlier, past, previously, before, used to be, old, over time, formerly, 以前的, 过去, 旧的
log, event: what happened, record of, when did, happened, occurred, 发生过什么
compare, diff: difference, versus, against each other, changed, same or not, 不同, 变化, 区别
convert, transform: turn into, make into, change into, as, 变成, 转成
export, download: save, get as a file, to my computer, on my disk, take along, to disk, locally, keep a copy, 存到电脑, 保存到本地, 下到
upload, import: put into, send up, load into, bring in, hand in, 传上去, 放进去
send, push, post: let know, tell, deliver, pass on, transmit, forward, 告诉, 传给, 发出去
publish: visible, public, for everyone, release, go live, open to all, put out, 公开, 让大家看到
unpublish: hide, take offline, not public, private again, 下架, 隐藏
share: let others, give access, together with, 给别人
move, transfer: put elsewhere, other place, hand over, shift, belongs to another, take over to, bring over, change the place, 挪, 搬, 转给
copy, duplicate, clone: same again, second one, twin, another one like, 再来一个, 复制一份
rename: call it, new name, different name, other name, named wrong, title, 换个名字, 叫做
set, configure: adjust, determine, specify, choose, preference, turn to, put to, 设成, 调成
default: standard, normal, usual, unless otherwise, preset, 默认
assign: give, in charge, responsible, hand to, 交给
subscribe, follow: keep me informed, watch, stay up to date, 关注
connect, link: join, attach, tie, hook, relate, associate, wire, combine with, 连起来, 关联到
disconnect, unlink: detach, separate, cut, loosen, 断开
merge, combine: put together, unite, one out of two, 合在一起
split: take apart, divide, separate, break, 拆开
sort, rank: order, best first, arrange, 排好
filter: only those, restrict to, with certain, 只要
generate: produce, write for me, make automatically, come up with, derive, 自动生成, 生成
analyze: look into, understand, investigate, find out, examine, make sense, 看看为什么, 研究
summary, summarize: short, overview, main points, in brief, 概况
recommend, suggest: advice, what should i, which is best, propose, tip, 推荐哪个
estimate, calculate: how long, how much, work out, figure out, 估一下, 算出
monitor, watch: keep an eye, look after, observe, over time, supervise, 盯住
schedule: when, at, every day, every week, regularly, later, 定期, 到点
approve, accept: agree, yes, allow, let, okay, consent, confirm, 同意
reject, deny: no, refuse, turn down, do not allow, decline, 不同意, 拒掉
invite: ask to join, bring in, let in, 拉进来
join: take part, become a member, 加进去
login, authenticate: sign in, log on, get in, identify, 登录
resolve, close, complete: done, solved, settled, finished, dealt with, over, tick off, fixed, 搞定了, 弄完了
reopen, unresolve: not done, again, not solved, back to open, 又出现, 没解决
mark: flag, tick, treat as, declare, consider, 当作, 算作
bulk, batch, many, multiple: several, at once, dozen, all together, in one go, a lot of, one sweep, hundreds, many, in one step, group of, 好几个, 一次, 一起, 统统, 多条
all: every, whole, complete, everything, each, entire, 全, 所有
current, active, latest: now, at the moment, today, right now, present, running, this, newest, last, 现在, 目前, 最近的
public: everyone, open, anybody, worldwide, 所有人可见
private: only me, secret, internal, hidden, 只有自己
permission, access, role: may, allowed, who can, rights, let somebody, 能不能, 谁可以
limit: at most, maximum, no more than, only, cap, 最多, 限制
available: free, still to have, ready to use, exist, can i get, 可用, 空着
name availability, check name: is the name taken, still free, already used, 名字被占, 重名
health: up, down, alive, working, broken, reachable, 正常
size, storage: big, large, space, how much room, 多大
usage: used, consumption, how often, who uses, 用了
cost, price: expensive, cheap, money, pay, 贵
performance: slow, fast, speed, quick, lag, takes long, 慢, 快
security: safe, attack, hacker, secure, danger, risk, 安全
error: wrong, broken, failed, fault, problem, does not work, mistake, 坏了, 出问题
description, title: text, wording, heading, headline, 描述
url, link: address, where can i find, web address, 网址
id, identifier: number of, internal name, handle, 编号, 标识
parameter, argument, input: setting, option, takes, needs, 参数
example, sample: show me how, demo, for instance, illustration, 例子
guide, instruction, help: how do i, how to, what do i have to do, explain, steps, introduction, 怎么, 如何, 步骤
local: on my computer, here, nearby, 本机
remote: elsewhere, other computer, cloud, 远端
parent: above, superior, contains it, 上级
child, sub: below, part of, inside, 下级
`;
