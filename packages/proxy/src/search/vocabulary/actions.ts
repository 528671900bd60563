/** What tools do. The format is described in `groups.ts`. */
export const ACTIONS = `
create, make, new, generate, set up, 创建, 新建, 建立, 生成, 新增 ~ add, build, define, 添加
add, append, attach, insert, put, put in, include, 添加, 增加, 加入, 插入, 追加
delete, remove, erase, drop, destroy, discard, throw away, get rid of, wipe out, take away, take off, 删除, 移除, 删掉, 去掉, 销毁
clear, empty, wipe, purge, reset, clean, flush, 清空, 清除, 清理
reset, restore default, start over, 重置, 复位
get, fetch, retrieve, read, show, view, obtain, look up, display, give me, tell me, 获取, 取得, 得到, 拿到, 显示, 查看, 读取
show, display, print, view, see, look at, render, 显示, 展示, 查看, 看看
read, open, look at, content of, contents of, 读取, 阅读, 读
list, enumerate, show all, overview, what are, what is in, 列出, 列表, 罗列 ~ all the, which, every, 所有, 全部, 哪些
search, find, look for, seek, look up, hunt, 搜索, 查找, 搜寻, 寻找, 检索, 找到, 找出 ~ query, locate, discover, lookup, 查询
query, ask, request, execute sql, run sql, 查询, 询问
filter, narrow, only those, where, criteria, 筛选, 过滤
update, change, modify, edit, alter, amend, revise, patch, rework, 更新, 修改, 编辑, 更改, 变更, 改成 ~ adjust, set
set, 设置, 设定, 指定 ~ assign, configure, specify, make it
configure, set up, customize, setting, configuration, preference, option, 配置, 设置, 设定
rename, give another name, change the name, new name, call it, 重命名, 改名
move, transfer, relocate, shift, bring to, migrate, 移动, 转移, 移到, 搬
copy, duplicate, clone, replicate, 复制, 拷贝, 副本, 克隆
clone, download a repository, local copy of a repository, 克隆
replace, overwrite, substitute, swap, exchange, 替换, 覆盖, 取代
write, 写入, 写 ~ save, store, put, record, persist, compose, send, 保存, 存储, 存入
save, store, keep, persist, remember, 保存, 存储, 储存, 存到, 记住
send, deliver, transmit, dispatch, 发送, 发出, 寄, 发给, 发 ~ submit, push, write
publish, make public, go live, put online, 发布, 上线, 公开 ~ post, release, announce, deploy
unpublish, take offline, hide, 取消发布, 下线
broadcast, send to all, notify all, everyone, mass message, 群发, 广播
notify, alert, inform, tell, remind, warn, let know, 通知, 提醒, 告知, 告警
reply, respond, answer, comment, write back, 回复, 回答, 答复
forward, pass on, redirect, 转发
upload, put online, put into storage, import, transfer to the server, 上传
download, save locally, fetch file, pull, get a copy, 下载
import, load, read in, bring in, ingest, 导入, 加载
export, dump, extract, write out, save as file, 导出, 输出
run, execute, perform, carry out, 运行, 执行, 跑 ~ launch, start, invoke, trigger, 启动, 触发
start, begin, launch, boot, open, kick off, turn on, initiate, 启动, 开始, 开启, 打开
stop, end, terminate, kill, halt, shut down, quit, finish, turn off, 停止, 结束, 终止, 关闭, 中止
pause, suspend, hold, interrupt, 暂停, 挂起
resume, continue, go on, unpause, 继续, 恢复
restart, reboot, rerun, start again, run again, once more, 重启, 重新启动, 重新运行
rerun, retry, repeat, run again, once more, try again, redo, 重试, 重跑, 再次运行, 重新执行
cancel, abort, call off, revoke, withdraw, 取消, 中止, 撤回
close, shut, finish, end, 关闭, 关掉
open, launch, 打开 ~ navigate, go to, visit, 访问
wait, sleep, delay, pause, 等待
schedule, plan, book, arrange, set a time, 安排, 计划, 预约, 定时
check, verify, make sure, whether, 检查, 校验, 验证, 核对, 是否 ~ test, validate, inspect
validate, verify, check, correct, valid, lint, well formed, 校验, 验证, 正确
test, try, try out, exercise, 测试, 试
compare, diff, difference, contrast, what changed, 比较, 对比, 差异, 区别
diff, difference, changes between, what is different, delta, 差异, 不同
merge, combine, join, unite, unify, bring together, 合并, 整合
split, divide, break up, separate, 拆分, 分割
convert, transform, turn into, change into, translate, encode, 转换, 转成, 转化, 变成
translate, translation, other language, 翻译
format, pretty print, beautify, 格式化
compress, zip, gzip, archive, pack, shrink, 压缩, 打包
extract, unzip, unpack, decompress, pull out, 解压, 提取
encrypt, cipher, protect, 加密
decrypt, decipher, 解密
sign, signature, signing, 签名, 签署
count, how many, number of, total, amount of, quantity, 统计, 计数, 数量, 多少, 总数
calculate, compute, work out, figure out, sum, arithmetic, math, 计算, 算
sum, add up, total, addition, plus, 求和, 加起来, 总和
aggregate, group by, summarise, roll up, statistics, 聚合, 汇总
summarize, summary, overview, digest, gist, brief, 总结, 摘要, 概要
analyze, examine, investigate, study, inspect, diagnose, 分析, 研究, 诊断
diagnose, troubleshoot, debug, find the cause, root cause, why, what is wrong, 诊断, 排查, 故障排除, 原因
explain, describe, why, tell about, clarify, 解释, 说明
describe, detail, information about, tell me about, what is, 描述, 详情, 介绍
monitor, watch, observe, track, keep an eye on, follow, 监控, 监视, 监测, 观察
track, follow, trace, 跟踪, 追踪
subscribe, follow, watch, sign up, get updates, 订阅, 关注
unsubscribe, unfollow, stop updates, 退订, 取消订阅
approve, accept, confirm, agree, allow, sign off, 批准, 同意, 通过, 审批, 确认
reject, deny, refuse, decline, turn down, disapprove, 拒绝, 驳回
review, assess, look over, evaluate, give feedback, 审查, 评审, 审核, 检查
rate, score, grade, rank, 评分, 打分
rank, rerank, sort, order, reorder, best first, relevance, 排序, 排名
sort, order, arrange, 排序
assign, give to, delegate, hand over, 分配, 指派, 委派 ~ owner, responsible, allocate
unassign, take back, release, 取消分配
allocate, reserve, book, claim, 分配, 预留, 占用
release, free, give back, 释放, 归还
lock, freeze, make read only, read only, prevent changes, 锁定, 锁 ~ protect
unlock, unfreeze, 解锁
protect, secure, forbid, guard, restrict, prevent, 保护
unprotect, remove protection, 取消保护
enable, activate, turn on, switch on, allow, 启用, 开启, 激活, 打开
disable, deactivate, turn off, switch off, 禁用, 停用, 关闭
toggle, switch, flip, turn on or off, 切换, 开关
mute, silence, snooze, quiet, no sound, 静音, 禁言
block, ban, deny, blacklist, 屏蔽, 拉黑, 阻止, 封禁
allow, permit, grant, whitelist, let, safelist, 允许, 许可, 授权
grant, give access, permission, authorize, 授予, 授权
revoke, take away access, invalidate, 撤销, 吊销, 收回
invite, ask to join, add member, 邀请
join, enter, take part, 加入, 参加
leave, exit, quit, 离开, 退出
login, log in, sign in, authenticate, log on, 登录, 登陆, 登入
logout, log out, sign out, sign off, end session, 登出, 注销, 退出登录
register, sign up, enrol, 注册, 登记
unregister, deregister, 注销
connect, link, attach, hook up, establish a connection, 连接, 接入
disconnect, cut off, detach, unlink, 断开, 断开连接
link, relate, associate, connect, relation, reference, 关联, 链接, 联系
unlink, dissociate, remove relation, 取消关联
sync, synchronize, keep the same, bring up to date, align, 同步
refresh, reload, renew, update, 刷新
rotate, renew, new secret, 轮换, 更换
restore, recover, bring back, undelete, unarchive, 恢复, 还原
rollback, roll back, revert, undo, previous version, 回滚, 回退, 撤销
undo, revert, reset, take back, 撤销, 撤消, 还原
back up, backup, snapshot, safety copy, 备份
archive, put away, move to archive, retire, 归档, 存档
unarchive, restore from archive, 取消归档
install, set up, deploy, put on, 安装, 部署
uninstall, remove app, take off, deinstall, 卸载
deploy, roll out, ship, release, go live, put into production, 部署, 发布, 上线
provision, set up resource, create resource, 开通
scale, resize, grow, shrink, replicas, fewer copies, capacity, 扩容, 缩容, 伸缩, 扩缩容
migrate, upgrade, modernize, port, move over, 迁移, 升级
upgrade, update, newer version, 升级
compile, build, make, 编译, 构建
fix, repair, correct, resolve, heal, autofix, solve, mend, 修复, 修正, 解决, 改正
resolve, solve, settle, mark as resolved, done, close, 解决, 处理完
unresolve, reopen, 重新打开
complete, finish, done, close, end, conclude, 完成, 结束
mark, flag, tick, set as, 标记, 标为
bookmark, favorite, star, pin, 收藏, 书签
click, tap, press, push a button, touch, hit, 点击, 单击, 点按, 按下
double tap, double click, 双击
long press, hold down, press and hold, 长按
hover, mouse over, 悬停
drag, drag and drop, pull, 拖动, 拖拽, 拖放
swipe, scroll, slide, 滑动, 滚动
type, enter text, type into, write into, key in, 输入, 键入, 打字 ~ fill, input
fill, fill in, enter, complete a form, type into, 填写, 填入, 填
select, choose, pick, 选择, 选取, 选中
press key, keyboard, hotkey, keystroke, 按键, 键盘
navigate, go to, browse, visit, open page, 导航, 跳转, 访问, 浏览
go back, previous page, back, return to, page before, 后退, 返回上一页 ~ return, previous
go forward, next page, 前进
screenshot, screen shot, capture screen, screen capture, picture of the screen, snapshot, 截图, 截屏, 屏幕截图, 截取, 快照
record, capture, film, tape, 录制, 记录, 录
evaluate, run script, run javascript, 求值
scrape, crawl, extract page, harvest, 抓取, 爬取, 采集
fetch, download, load, get url, 抓取, 获取
transcribe, speech to text, dictation, write down speech, recognize speech, speech recognition, 转写, 听写, 语音转文字, 语音识别
synthesize, text to speech, read aloud, speak, say, 合成, 朗读, 文字转语音
recognize, identify, detect, 识别, 辨认
detect, find, discover, spot, 检测, 发现
predict, forecast, estimate, 预测, 预报
recommend, suggest, propose, advise, advice, 推荐, 建议
optimize, improve, tune, speed up, make faster, 优化, 改进, 加速
plan, design, draft, 规划, 计划, 设计
design, architect, layout, 设计
think, reason, reflect, step by step, chain of thought, ponder, problem solving, 思考, 推理
learn, tutorial, guide, how to, teach, 学习, 教程, 指南
ask, question, 询问, 提问
pay, purchase, buy, checkout, 支付, 付款, 购买, 买
buy, purchase, order, acquire, provision, 购买, 采购, 买
sell, 出售, 卖
refund, give money back, reimburse, 退款
charge, bill, collect payment, 收费, 扣款
call, phone, ring, dial, telephone, make a call, 打电话, 呼叫, 拨打, 致电
hang up, end call, 挂断
vote, poll, 投票
react, emoji, thumbs up, like, 表情, 点赞, 回应
mention, tag someone, 提及
commit, check in, record changes, 提交
push, upload commits, send commits, publish commits, 推送
pull, get latest changes, newest changes, update branch, 拉取
checkout, switch branch, change branch, 切换分支, 检出
fork, personal copy, 派生, 复刻
stash, set aside, shelve, put aside, 储藏, 暂存
stage, staging area, git add, 暂存
unstage, git reset, 取消暂存
rebase, replay commits, 变基
cherry pick, copy a commit, apply a commit, single commit, 拣选
blame, who wrote, last changed line, author of a line, 追溯, 谁写的
bisect, find the bad commit, 二分查找
initialize, init, set up repository, start a repository, 初始化
submit, hand in, send in, 提交, 递交 ~ propose, create
propose, suggest, request for review, 提议
embed, vectorize, turn into vector, embedding, 嵌入, 向量化
upsert, insert or update, store records, create or update, 插入或更新
index, make searchable, 索引
drop, delete, 删除, 丢弃
truncate, cut off, 截断
simulate, fake, pretend, mock, emulate, spoof, 模拟, 仿真, 伪造
mock, fake, stub, pretend, simulated, 模拟
allow, let, admit, 放行
list directory, folder content, what is in the folder, dir, ls, 目录内容
trigger, fire, set off, kick off, 触发
compose, write, draft, 撰写
report a bug, file a bug, open a ticket, raise an issue, file a ticket, report a problem, create issue, 报告问题, 提工单 ~ create, issue
break into, break down, split up, divide into, 拆解 ~ subtask
speed up, make faster, accelerate, 加快
attach a file, upload file, add a file, 上传文件 ~ upload
make faster, faster, speed up ~ index, optimize, performance
look after, maintain, manage, administer, 管理, 维护
manage, administer, handle, 管理 ~ create, update, delete
turn, rotate, 旋转 ~ orientation
measure, gauge, 测量 ~ metric
ring up, call up, give a call ~ call
clean up, tidy, 整理 ~ clean, delete
undo commit, take back a commit, revert a commit, 撤销提交, 回退提交 ~ reset, revert
walk through, step through ~ guide
browse, surf, 浏览 ~ navigate, list
print, output, 打印, 输出
store safely, keep secret ~ vault, secret
put together, assemble, 组装 ~ build, create
hand out, distribute, 分发 ~ send, share
share, give access, 分享, 共享 ~ permission, invite
unshare, stop sharing, 取消共享
sign off, approve, lgtm ~ approval
turn into, 转为 ~ convert
tidy up, cleanup, 清扫 ~ clean
remember, memorize, learn, 记住 ~ memory, store, save
forget, 忘记 ~ delete, remove
look inside, peek, 看一眼 ~ read, view
swap, exchange, 交换 ~ replace
speak, say, talk, 说 ~ speech, tts
listen, 听 ~ speech, audio, transcription
recover, rescue, 找回 ~ restore
queue, enqueue, 排队
sync, mirror, 镜像
`;
