/** What tools are about, in everyday work. The format is described in `groups.ts`. */
export const THINGS = `
file, 文件, 档案 ~ document, 文档
folder, directory, dir, path, 文件夹, 目录
text, plain text, txt, 文本, 文字 ~ content, 内容
content, contents, what is inside, inside, 内容 ~ body, text
tree, hierarchy, structure, recursive, nested, outline, 树, 层级, 结构
size, how big, how large, length, bytes, 大小, 尺寸
disk, hard drive, hard disk, volume, drive, storage, 磁盘, 硬盘
storage, store, bucket, disk space, 存储, 存储空间
cloud storage, object storage, blob, bucket, s3, container, 云存储, 对象存储
file share, shared folder, network drive, fileshare, nfs, smb, 文件共享, 共享文件夹
metadata, properties, attributes, facts about, 元数据, 属性 ~ information, details, info
info, information, details, 信息, 资料 ~ data
name, title, label, 名称, 名字, 标题
title, heading, headline, caption, 标题
date, day, when, 日期
time, clock, hour, what time, now, current time, 时间, 几点
timezone, time zone, local time, 时区
calendar, agenda, appointments, schedule, diary, 日历, 日程
event, 事件, 活动 ~ appointment, meeting, happening, 会议
meeting, call, conference, appointment, get together, 会议
reminder, alarm, remind me, 提醒, 闹钟
availability, free, free time, is available, still free, 可用性, 可用, 空闲
email, mail, e mail, letter, 邮件, 电子邮件, 信件 ~ inbox, mailbox, gmail, outlook, message, 邮箱
inbox, mailbox, mails, incoming, 收件箱
attachment, attached file, file of a mail, enclosed, 附件
draft, prepare, not yet sent, unsent, 草稿
recipient, addressee, to whom, 收件人
label, tag, marker, category, mark, 标签, 标记, 分类
tag, label, keyword, marker, coloured marker, 标签
filter, rule, condition, automatic rule, 过滤器, 规则, 筛选器
spam, junk, 垃圾邮件
message, 消息, 讯息, 留言 ~ text, note, notice, chat, sms, 信息
sms, text message, text, short message, 短信
chat, conversation, talk, im, 聊天, 对话
channel, chat room, slack channel, 频道, 通道
thread, discussion, conversation, 话题, 讨论, 线程
contact, person, address book, friend, 联系人
follower, friend, subscriber, fan, 好友, 粉丝, 关注者
user, person, people, 用户, 人员 ~ member, account, who, someone, somebody, colleague, employee, programmer, developer, 成员, 同事
member, membership, colleague, who is in, who works in, 成员, 同事 ~ participant, person, people, user
team, crew, 团队, 小组 ~ group, department, 组, 部门
organization, company, org, enterprise, 组织, 公司, 机构
role, permission, access right, who may, privilege, rbac, 角色, 权限
permission, access, right, allowed, 权限, 许可
account, profile, 账户, 账号, 帐户
profile, user info, about the user, 个人资料, 资料
current user, who am i, myself, logged in as, viewer, authenticated user, whoami, 当前用户, 我是谁, 当前登录
password, secret, credential, passphrase, 密码, 口令
secret, password, credential, 密钥, 机密, 秘密 ~ token, confidential, key
key, api key, secret, token, 密钥, 键
token, api key, access token, credential, 令牌, 凭证
credential, login data, password, 凭证, 凭据
vault, safe, key vault, secret store, 保险库, 密钥库, 保管库
certificate, cert, tls, ssl, https, 证书
session, login, 会话
authentication, login, sign in, auth, identity, oauth, 认证, 身份验证, 鉴权
authorization, auth, permission, access, 授权
oauth, sso, single sign on, authorization
one time code, otp, verification code, confirmation code, verification, passcode, pin, two factor, 2fa, mfa, 验证码, 一次性密码
verification, confirm, check code, verify, 验证, 核验
challenge, factor, second factor, 质询
security, vulnerability, risk, hole, 安全, 漏洞
vulnerability, security hole, cve, weakness, 漏洞
leak, exposed secret, detected secret, leaked, 泄露, 泄漏
audit, audit log, who did what, activity log, history of changes, who changed, 审计
activity, feed, recent, 活动, 动态
history, past, earlier, log, changes over time, 历史, 记录
version, revision, edition, 版本 ~ release
release, version, launch, 发布, 版本
changelog, release notes, what is new, 更新日志, 变更日志, 发行说明
log, logs, 日志 ~ output, prints, printed, protocol, messages, trace, 记录, 输出
error, exception, failure, mistake, fault, 错误, 异常, 报错, 故障 ~ problem, bug, crash
failure, failed, break, broke, 失败, 故障
crash, abort, died, 崩溃, 闪退
warning, caution, 警告
bug, defect, error, problem, 缺陷, 错误 ~ issue, ticket, 漏洞
issue, ticket, work item, 问题, 工单, 议题 ~ bug, problem, task, case, defect, 缺陷, 事项
task, todo, to do, work item, 任务, 待办, 事项 ~ job, assignment, ticket, issue
todo, to do, task, open work, 待办, 待办事项
subtask, smaller task, child task, sub task, part of a task, 子任务
dependency, depends, blocked by, prerequisite, 依赖
parent, above, 父级, 上级
child, children, sub, below, nested, 子级, 子
priority, urgency, urgent, importance, important, 优先级, 紧急, 重要
status, state, condition, how is it going, 状态, 情况 ~ progress, health, 进度
progress, how far, completion, status, percent done, 进度, 进展
health, alive, healthy, is up, ping, uptime, 健康, 运行状况 ~ status
assignee, responsible, owner, 负责人, 经办人
due date, deadline, until when, 截止日期, 期限
milestone, goal, target, stage, 里程碑
sprint, cycle, iteration, 冲刺, 迭代, 周期
roadmap, plan, long term plan, 路线图
initiative, goal, programme, strategic, 计划, 倡议
backlog, open issues, 待办列表
board, kanban, 看板
project, undertaking, 项目, 工程
workspace, work area, space, 工作区, 工作空间
section, part, column, area, 部分, 分区, 章节
comment, note, remark, reply, discussion, feedback, annotation, 评论, 备注, 注释, 批注
note, memo, remark, 笔记, 备忘, 备注
feedback, opinion, rating, 反馈, 意见
discussion, conversation, thread, comments, 讨论
notification, notice, 通知 ~ alert, message, 提醒
unread, not read, not yet read, new, 未读
subscription, plan, abonnement, follow, 订阅
favorite, bookmark, star, 收藏, 最爱
view, saved search, perspective, 视图
template, ready made, pattern, boilerplate, starting point, preset, 模板, 范本
custom field, own field, additional field, 自定义字段
field, column, property, attribute, 字段, 列, 属性
form, questionnaire, input form, 表单 ~ field
dropdown, select box, combo box, list of options, 下拉框, 下拉菜单, 下拉列表
button, control, key, 按钮, 按键
element, widget, control, 元素, 控件 ~ component, item, node
component, building block, part, module, 组件, 构件
menu, navigation, options, 菜单
window, tab, page, 窗口, 标签页
tab, browser tab, 标签页, 选项卡
page, web page, 页面, 网页, 页 ~ site, website, screen, tab
website, web site, site, homepage, web page, 网站, 站点
url, link, web address, address, uri, 网址, 链接, 地址
web, internet, online, www, 网络, 互联网, 网上, 因特网
search engine, google, bing, web search, duckduckgo, 搜索引擎, 谷歌, 百度
web search, search the internet, search online, google, look up online, 网络搜索, 上网搜索
news, headlines, current events, 新闻
article, post, blog, 文章, 博客
markdown, md, readable
html, source, markup, dom, 网页源码
javascript, js, script, 脚本
css, style, appearance, look, 样式
pdf, portable document, print, 打印
image, picture, photo, graphic, 图片, 图像, 照片 ~ icon, png, jpg, illustration, 图标, 图
video, movie, film, clip, 视频, 影片, 录像 ~ youtube
audio, sound, voice, recording, 音频, 声音
speech, voice, spoken, said, 语音, 讲话
recording, tape, audio, recorded, 录音, 录像, 录制
transcript, transcription, subtitle, caption, what they say, spoken text, 字幕, 转录, 文字记录
youtube, video, 视频
music, song, track, 音乐, 歌曲
diagram, chart, drawing, picture, visualization, graph, 图表, 图示, 示意图
chart, graph, plot, diagram, 图表
color, colour, 颜色
design, mockup, figma, layout, ui design, 设计, 设计稿
asset, media, resource file, 资源, 素材
font, typeface, 字体
map, street map, atlas, 地图
location, position, place, gps, where, coordinates, 位置, 地点, 定位, 地理位置
coordinates, latitude, longitude, gps, position, 坐标, 经纬度
address, street, postal address, 地址
geocode, address to coordinates, coordinates of an address, where is, 地理编码
reverse geocode, address of coordinates, which address, what address, address at, 逆地理编码, 反向地理编码
place, venue, location, point of interest, poi, shop, restaurant, business, 地点, 场所, 商家, 兴趣点
restaurant, food, eat, cafe, diner, place, 餐厅, 饭店, 餐馆
hotel, accommodation, overnight, room, 酒店, 住宿
near, nearby, around, close to, local, near me, 附近, 周边, 周围
route, directions, way, how to get, how do i get, itinerary, drive, walk, by car, 路线, 路径, 怎么走, 开车, 步行 ~ path, navigate, journey, travel, 导航
distance, how far, travel time, 距离, 多远
travel time, how long does it take, duration, distance, matrix, 行程时间
reachable, isochrone, within minutes, reach, 可达范围, 等时圈
elevation, altitude, height, how high, above sea, 海拔, 高度
traffic, congestion, 交通, 流量
weather, forecast, temperature, rain, climate, 天气, 气温
flight, plane, airline, travel, 航班, 机票
phone, telephone, 电话 ~ mobile, cell, 手机
phone number, telephone number, number, 电话号码, 手机号, 号码
caller id, number shown, outgoing number, 来电显示
call, phone call, telephone, 通话, 电话
conference, conference call, group call, 会议, 电话会议
participant, attendee, person in the call, member, 参与者, 与会者
voicemail, answering machine, 语音信箱
queue, waiting line, line, backlog, 队列
device, 设备 ~ phone, tablet, hardware, mobile, 手机
screen, display, monitor, 屏幕, 显示屏
screen size, resolution, dimensions, 屏幕尺寸, 分辨率
orientation, landscape, portrait, rotate, turn the phone, 方向, 横屏, 竖屏
clipboard, copy and paste, 剪贴板
app, application, program, software, 应用, 应用程序, 程序, 软件
simulator, emulator, virtual device, 模拟器, 仿真器
money, balance, funds, credit, 余额, 钱
balance, money left, credit left, account balance, 余额
price, cost, how much, expensive, pricing, rate, fee, 价格, 费用, 成本, 多少钱
invoice, bill, billing, receipt, charge, 发票, 账单
payment, transaction, charge, 支付, 付款
order, purchase, 订单
customer, client, buyer, 客户, 顾客
customer need, customer request, demand, wish, 客户需求
product, article, item, goods, 产品, 商品
inventory, stock, 库存
store, shop, e commerce, 商店, 店铺
coupon, discount, voucher, 优惠券, 折扣
budget, spending, expenses, limit, 预算, 支出
usage, consumption, how much used, used up, spending, 用量, 使用量, 使用情况
quota, limit, allowance, how many may i, remaining, contingent, 配额, 限额, 额度
rate limit, throttle, requests per minute, 速率限制, 限流
trigger, threshold, alarm, when it exceeds, 触发器
report, evaluation, statement, 报告, 报表
dashboard, overview, cockpit, panel, workbook, 仪表板, 仪表盘, 看板
analytics, statistics, figures, insights, metrics, 分析, 统计
metric, measurement, figure, cpu, memory, performance, value, 指标, 度量
statistics, stats, figures, numbers, 统计, 统计数据
table, sheet, spreadsheet, grid, 表, 表格
spreadsheet, excel, sheet, csv, google sheets, 电子表格
row, record, line, entry, 行, 记录
record, entry, 记录, 条目 ~ row, item, data
item, entry, element, thing, 条目, 项目, 项
list, 列表, 清单 ~ collection, set
collection, set, group, 集合, 收藏夹
entity, object, thing, node, 实体, 对象
relation, relationship, connection, link, edge, 关系
knowledge graph, memory, graph, what we know, remembered, 知识图谱, 记忆
knowledge base, knowledge, wiki, 知识库
observation, fact, note, finding, 观察, 事实
insight, finding, learning, 洞察, 见解
memory, remember, knowledge, 记忆, 内存
wiki, documentation, knowledge, 维基
documentation, docs, manual, guide, help, reference, handbook, 文档, 手册, 说明, 帮助
best practice, recommendation, guideline, good style, rules, 最佳实践, 规范
guideline, rule, convention, best practices, 指南, 准则
example, sample, 示例, 样例, 例子
language, tongue, 语言
country, nation, land, 国家
region, area, data center, location, 区域, 地区
language model, llm, gpt, openai, chatgpt, chat model, 大模型, 语言模型 ~ ai, model, completion, chat
model, ai model, 模型
ai, artificial intelligence, assistant, 人工智能, 智能
agent, assistant, bot, 代理, 智能体, 机器人
prompt, instruction, 提示词
embedding, vector, 向量, 嵌入
similar, similarity, alike, resembling, semantic, 相似, 类似
vector store, vector database, vector index, pinecone, index, 向量数据库, 向量库
multiple, several, many, batch, bulk, at once, in one go, together, simultaneously, 批量, 多个, 一次
brand, company name, 品牌
campaign, marketing, 活动, 营销
accessibility, a11y, wcag, screen reader, disabled people, barrier free, 无障碍, 可访问性
seo, search engine optimization, google ranking, found by google, rank, 搜索引擎优化
performance, speed, fast, slow, load time, how fast, lighthouse, 性能, 速度
slow, performance, takes long, speed, why is it slow, 慢
quality, good, 质量
resource, object, asset, 资源
environment, env, stage, variables, 环境
variable, parameter, env var, value, 变量
parameter, argument, option, setting, 参数
setting, option, preference, configuration, property, 设置, 选项
configuration, config, settings, setup, 配置
default, standard, preset, 默认
limit, restriction, bound, maximum, 限制
programmer, developer, coder, engineer, 程序员, 开发者 ~ user
colleague, coworker, teammate, 同事 ~ user, member
boss, manager, 老板, 经理 ~ user
whole, entire, complete, full, 整个, 完整 ~ all
current, active, running, now, present, ongoing, 当前, 正在 ~ latest
latest, newest, most recent, last, 最新, 最近
recent, lately, recently, 近期 ~ latest
previous, earlier, before, former, last one, 上一个, 之前, 以前
other, another, different, 其他, 别的
everything, all, complete, everyone, everywhere, 一切, 所有, 全部
first, initial, 第一个
smaller, sub, part of, minor, 较小
urgent, critical, asap, 紧急 ~ priority
weekly, every week, 每周
daily, every day, 每天
monthly, every month, 每月
yearly, annual, 每年
yesterday, 昨天
today, 今天
hourly, regularly, periodically, 每小时, 定期 ~ schedule, monitor
by hand, manual, 手动
automatic, automatically, auto, by itself, 自动 ~ automation, rule
incoming, received, arriving, 收到, 接收
outgoing, sent, 发出
expired, outdated, old, 过期
duplicate, double, twice, 重复
missing, absent, not there, 缺失
private, confidential, non public, 私有
public, open to all, 公开
remote, far away, distant, 远程 ~ cloud
local, on this computer, on my machine, 本地
offline, without network, 离线
visible, shown, 可见
hidden, invisible, 隐藏
free, gratis, no cost, 免费
expensive, costs too much, 昂贵 ~ cost
correct, right, valid, in order, 正确
wrong, incorrect, invalid, false, 错误的
code, passcode, digits, 代码
tutorial, lesson, course, teach me, 教程
speech recognition, speech to text, stt, 语音识别
text to speech, tts, read aloud, 语音合成
mobile phone, smartphone, cell phone, 手机 ~ device, mobile
`;
