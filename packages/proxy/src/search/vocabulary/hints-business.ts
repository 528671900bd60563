/** Hints to tools for messages, phones, money, people and everyday life. The format is described in `groups.ts`. */
export const BUSINESS_HINTS = `
email, gmail: letter, mail, post, inbox, write to, correspondence, newsletter, 信, 来信, 写信, 邮箱
send email: write to, drop a line, tell by mail, mail somebody, let him know, 写封信, 发信
draft email: prepare a mail, not send yet, write but do not send, mail for later, 先写好, 先不发
read email: open a mail, what does the mail say, show the letter, 看信, 打开邮件
search email: find a mail, mails from, did somebody write, look in my inbox, unanswered, 谁来信, 找邮件
delete email, batch delete email: throw mails away, clear out, newsletters, junk mail, spam, empty the inbox, 垃圾邮件, 广告邮件, 清理邮箱
modify email: mark as read, move to a folder, archive a mail, unread, put into, star a mail, 标为已读, 移到文件夹
email label, label: mail folder, mail category, sort mails, colour of a category, folder for mails, 邮件分类, 邮件文件夹
filter, email filter: rule, automatically sort, incoming mail, forward automatically, block a sender, sort out, 自动分类, 自动归档, 收信规则
filter template: ready made rule, usual rule, common rule
download attachment, attachment: file in the mail, enclosed, invoice from the letter, save the file, document in the mail, 邮件里的文件, 附带的文件
message: text, note, write to somebody, line, word, tell, inform, chat, 讯息, 说一声, 留言
push text message, push message, send message: write to a person, short note, tell a customer, drop a message, text somebody, 发消息给, 发一条
push flex message, flex message: designed message, card, carousel, nicely formatted message, buttons and pictures, 卡片消息, 图文消息
broadcast: tell everyone, all followers, all subscribers, everybody, mass message, announcement to all, 群发, 通知所有人, 全体
rich menu: chat buttons, buttons at the bottom, menu of the chat, big buttons, tap menu, 聊天菜单, 底部按钮, 菜单按钮
default rich menu: which buttons everyone sees, standard menu, 默认菜单
message quota: how many messages may i send, messages left, limit this month, 还能发多少, 剩余条数
profile: who is, picture of the user, display name, about the person, 头像, 昵称, 用户资料
sms, text message: text somebody, short message, send to a mobile, text, 短信
call, phone call: ring, dial, telephone, speak to, talk to on the phone, give a ring, reach by phone, 打电话, 拨打, 通电话
update call: hang up, end the conversation, redirect the call, put through, 挂断, 转接
list call: who called, call history, missed calls, calls yesterday, 通话记录, 谁打过电话
call recording, recording: tape, recorded conversation, listen to the call, what was said, audio, 录音, 通话录音, 电话录音
update recording, conference recording: pause taping, stop taping, continue recording, 暂停录音, 停止录音
delete recording: erase the tape, get rid of the audio, privacy, 删录音
transcription: written version, what was said, call as text, words of the conversation, in writing, 文字版, 转成文字
realtime transcription: live subtitles, write down while talking, 实时字幕
conference: group call, call with several people, telephone meeting, conference room, 多人通话, 电话会议
participant: person in the call, mute, throw out of the call, caller, bring into the call, who is in the meeting, 与会者, 静音, 踢出会议
queue, member: waiting callers, on hold, line, how long do callers wait, call centre, 排队来电, 等待的人
phone number, incoming phone number: line, own number, our numbers, telephone number, numbers we have, 电话号码, 我们的号码
create incoming phone number: buy a number, get a number, rent a number, order a number, new line, purchase, 买号码, 申请号码, 买一个号
delete incoming phone number: give up a number, no longer pay for a number, return a number, 退号
available phone number: which numbers could i get, free numbers, numbers for sale, numbers in the area, to buy, 可买的号码, 可选号码
toll free, tollfree: free for the caller, 800 number, costs the caller nothing, hotline, 免费电话
outgoing caller id, caller id: number people see, displayed number, verified number, shown when i call, 来电显示
short code: five digit number, short number, 短号码
address: street, where we are registered, office, moved, postal address, headquarters, 地址, 办公地址, 搬家
alpha sender, sender: name instead of a number, company name as sender, who appears as sender, 发件人名称
messaging service: pool of numbers, sms sending setup, sender group
brand registration, brand: register our company for sms, business identity, 品牌注册
campaign, us app to person: what we send, marketing registration, permission to send in the usa
link shortening: short links, shorten urls in messages, 短链接
verification, create verification: send a code, confirm a phone number, one time password, login code, prove that the number is his, otp, two factor, 验证码, 发验证码, 确认手机号
verification check: is the code right, typed code, code entered, compare the code, does the code match, 验证码对不对, 输入的验证码, 校验验证码
fetch verification: has he confirmed, is it confirmed, state of the check, confirmed by now, done confirming, 验证完成了吗, 验证成功没
verification attempt: how many tried, failed logins, conversion of codes, 验证次数
safelist: never block this number, always let through, exempt, 白名单
factor: second login step, authenticator app, passkey, device for login, 二次验证
challenge: ask the user to confirm the login, push confirmation, 登录确认
entity: user of the login service
access token, token: temporary key, pass, 令牌
bucket: times per hour, window of the limit
api key, key: access key, password for programs, secret for the api, credentials, 接口密钥
signing key: key to sign, certificate of authenticity
sip: voip, internet telephony, phone system, pbx, desk phones, softphone, 网络电话, 话机
sip domain: address of our phone system, voip domain, 语音域
sip credential, credential list: logins of phones, passwords of desk phones, set of logins, 话机账号
ip access control list: which addresses may call, allowed ips, trusted addresses, 允许的ip
connect app, application: program, integration, third party app, 应用
usage record, usage: what did we spend, how much did we use, consumption, costs, bill, money spent, 花了多少, 消费, 用量
usage record today: spent today, 今天花了
usage record yesterday: spent yesterday, 昨天花了
usage record last month: spent last month, last bill, 上月花费
usage record this month: spent this month, so far this month, 本月花费
usage record all time: spent altogether, since the beginning, in total, ever, 累计花费
usage trigger: warn me, spending too high, budget alarm, when costs exceed, costs explode, too expensive, 超支提醒, 费用过高
balance: money left, credit, how much is left, account funds, prepaid, 余额, 还剩多少钱
payment: take money, card number over the phone, collect money, charge a card, pay, 收款, 扣款, 付款
account, subaccount: customer account, separate account, branch account, 子账号
media: pictures in a message, photo sent, mms, 图片消息
message feedback: did the message arrive, delivery confirmation
user defined message: own data into the call, custom signal
stream: live audio, listen in, raw audio to my server, 音频流
slack, channel: chat room, team chat, post in, group chat, discord, 群聊, 频道, 群里
post message, channel message: tell the team, write in the chat, say in the channel, announce, 在群里说, 发到群里
reply thread: answer in the chat, respond to a message, 回消息
channel history: what was said, recent chat, catch up with the chat, 聊天记录
add reaction: thumbs up in the chat, like a message
list channel: which rooms, which chats
calendar, calendar event: appointment, diary, agenda, date, schedule, booked, free on, what am i doing, plans, 日程, 约会, 行程, 安排
create event: book a meeting, set up an appointment, arrange, put in my diary, meet, invite to, make an appointment, 约时间, 约会议, 预约
update event, reschedule: postpone, move the meeting, later, another day, shift, 改期, 推迟
delete event, cancel event: call off, meeting does not take place, 取消会议
free busy, availability: when do i have time, free slot, is he free, common time, 有空, 空闲时间
reminder: do not forget, remind me, alarm, wake me, 提醒我, 别忘了, 闹钟
contact: address book, phone number of a person, how do i reach, 通讯录, 联系方式
meeting: conference, get together, video call, zoom, teams, 开会, 会议
meeting transcript: minutes, what was decided, notes of the meeting, 会议纪要
drive, google drive, onedrive: my files in the cloud, shared documents, 网盘, 云盘
share file, share: give access, let others see, make available to, send a link, 共享, 分享给
spreadsheet, sheet: table, excel, cells, columns and rows, list in excel, 表格, 单元格
append row, update cell: enter into the table, write a number into the sheet, add a line, 填表, 加一行
slide, presentation: powerpoint, talk, deck, 幻灯片, 演示文稿
notion, page: notes, wiki, write down, knowledge, 笔记, 记一下
note, create note: jot, remember, write down, memo, idea, 记下来, 备忘
bookmark: save a link, remember a page, read later, 收藏网页
crm, deal, opportunity: sales chance, customer in the pipeline, possible sale, 商机, 销售机会
lead, prospect: potential customer, interested person, 潜在客户, 线索
company record: firm data, business we sell to
support ticket: complaint, customer question, help request, 客服, 投诉
invoice: bill, charge a customer, what do they owe, demand payment, 账单, 发票, 欠款
payment link: let customers pay, collect money online, 收款链接
refund: money back, return the money, reimburse, cancel a purchase, 退钱, 退款
subscription, cancel subscription: monthly plan, membership, stop paying, end the plan, recurring payment, 续费, 会员
product, catalog: goods, item for sale, article, merchandise, what we sell, 商品, 货品
order: purchase, what did the customer buy, shipment, delivery, parcel, 订单, 买了什么
inventory, stock: how many are left, in the warehouse, sold out, available items, 库存, 还有货
shipping, tracking: where is my parcel, delivery, package, shipment, 快递, 包裹, 到哪了
coupon, discount: cheaper, voucher, promotion, special offer, 优惠, 打折
expense, transaction: spend, what did i buy, money out, card charges, costs, 支出, 消费记录
budget: how much may i spend, savings plan, 预算
stock price, quote: share, wall street, how is apple doing, shares, ticker, 股价, 股票
exchange rate, currency, convert currency: dollars in euros, money abroad, foreign money, how many euros, 汇率, 换算, 兑换
crypto: bitcoin, coin, wallet, 比特币
tax: vat, revenue office, 税
bank account: iban, transfer money, 银行账户
employee, hr: staff, colleague, worker, personnel, new hire, 员工, 入职
leave request, time off: holiday, vacation, sick, day off, absent, 请假, 休假
job posting, candidate: applicant, hire, vacancy, recruit, 招聘, 应聘
timesheet, time tracking: hours worked, how long did i work, clock in, 工时, 打卡
survey, form: questionnaire, ask people, poll, opinions, 问卷, 调查
translate, translation: in another language, what does it mean in, english version, 翻成, 译成
summarize: short version, main points, too long to read, in a nutshell, 概括, 要点
news: headlines, what happened in the world, current affairs, press, 新闻, 头条
flight: plane, fly, airline, trip by air, ticket to, 飞机, 机票
hotel: room, overnight, place to stay, sleep, accommodation, airbnb, 住宿, 住哪
train: railway, rail, station, 火车, 高铁
booking, reservation: reserve, table for two, book a room, 预订, 订位
restaurant: eat, food, dinner, lunch, pizza, 吃饭, 餐馆
recipe: cook, dish, meal, ingredients, bake, 菜谱, 做菜
music, playlist, song: listen, play, track, album, spotify, tune, 听歌, 放歌
play, playback: start the music, put on, 播放
volume: louder, quieter, turn down, sound, 大声, 小声
movie, film: cinema, watch, series, tv, 电影, 看片
book: read, novel, author, library, 书
podcast: episode, listen to a talk
photo, image: picture, snapshot, shot, 照片, 图
generate image, image generation: paint, draw, make a picture, create artwork, illustration, 画一张, 生成图片
edit image: crop, remove background, retouch, 修图
video: clip, film, footage, 视频, 片子
light, lamp, smart home: bright, dark, switch on in the living room, 开灯, 关灯
thermostat, temperature: warmer, colder, heating, 调温
lock door, door: unlock, front door, 开门
camera: who is at the door, surveillance, 摄像头
vacuum, robot: clean the flat, 扫地
health, fitness, workout: steps, sleep, sport, training, heart rate, 步数, 睡眠, 运动
medication, patient: medicine, doctor, 病人, 药
paper, arxiv, academic: research, study, scientific article, scholarly, publication, 论文, 文献
wikipedia: encyclopedia, who was, what is, 百科
dictionary, definition: meaning of a word, synonym, 词义
calculator, calculate: arithmetic, percent, multiply, how much is, 算, 计算
unit conversion, convert: miles in kilometres, inches, pounds, 换算
chart, plot: graph, draw a diagram, visualise numbers, bar chart, pie, curve, 画图表, 折线图
qr code: scan with the phone, square code, 二维码
barcode: product code, 条码
pdf: document, paper, contract, 文件
merge pdf, split pdf: put documents together, take pages out
ocr: text in a picture, read a scan, scanned, 图片里的文字, 识别文字
signature, sign document: contract, docusign, sign, 签字, 签合同
password: login, secret, passphrase, 密码
two factor: second step, login code, 双重验证
tweet, post: social media, twitter, publish a message, share with followers, 发微博, 发帖
instagram, facebook, linkedin: social network, followers, feed, 社交媒体
like: heart, thumbs up, 点赞
follower: fans, subscribers, who follows me, 粉丝
ad campaign, ads: advertising, marketing, promote, 广告
email campaign, newsletter: mass mail to customers, marketing mail, 营销邮件
game, score: match, result, who won, 比分, 谁赢了
sport: football, basketball, team, 足球, 比赛
event ticket: concert, show, 演唱会, 门票
real estate, property: house, flat, apartment, rent, 房子, 租房
car, vehicle: drive, rental, 汽车
parking: where to leave the car, 停车
draft email: compose a letter, leave unsent, unsent, do not send it yet, 先别发, 写好邮件
filter template: usual rule, one of the usual rules
payment: card number of the caller, charge the caller, bank card, credit card over the phone, 银行卡, 让来电者付款
call recording: tape of the talk, telephone talk, recorded talk
delete recording: tape must vanish, erase the talk, 删掉录音
recording transcription: written version of the tape, tape as text
list key, signing key: passwords for programs, which keys exist
media: picture of a message, delete the photo from a message
brand vetting: check of our company, trust score
deactivation: numbers that no longer exist, abandoned numbers
domain cert: certificate of the short link domain
message feedback: the user got the message
verification attempt summary: share of successful codes, conversion
verification template: text of the code message
sip ip address: address of our phone system
siprec: pass the audio to another system
authorized connect app: programs that may use my account
country, phone number country: in which countries, 哪些国家
`;
