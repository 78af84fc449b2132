import type { EmailTexts } from './en.ts';

export const ja: EmailTexts = {
  hello: 'お客様',
  helloName: '{name} 様',
  needHelp: 'お困りの場合はこちらへ：{ways}',
  or: 'または',
  help: 'お問い合わせ',
  product: '製品',
  serial: 'シリアル',
  files: 'ファイル',
  open: 'ダウンロードを開く',

  redeemedSubject: '{product} の登録が完了しました',
  redeemedText:
    '{product} を登録しました。このメールは大切に保管してください。シリアルとこのメールアドレスで、いつでもダウンロードを開き直せます。',

  soldSubject: '{product} のコード',
  soldText:
    '{reseller} から {developer} の {product} をお買い上げいただきました。このコードを登録すると、お客様の製品になり、ダウンロードできます。',
  soldKeep: '登録が済むまで、このメールを他の人に見せないでください。コードがあれば誰でも登録できます。',
  soldUnasked: 'お心当たりがない場合は、このメールを無視してください。',
  orderedSubject: '{developer} のコード',
  orderedText:
    'ご注文 {order} ありがとうございます。コードを一つずつ登録すると、製品をダウンロードできるようになります。',
  orderLinkSubject: '{developer} でのご注文',
  orderLinkText: '{developer} でのご注文のコードがリクエストされました。',
  orderLinkLasts:
    'リンクを開くとコードを確認できます。有効期間は24時間です。お心当たりがない場合は、このメールを無視してください。',
  quietLinkSubject: 'ご注文のコード',
  quietLinkText: 'オーディオプラグインのご注文のコードがリクエストされました。',
  redeemBy: '登録期限',
  redeem: 'コードを登録する',

  leftSubject: '{developer} に登録されたメールアドレスが変更されました',
  leftText:
    '{developer} が、お持ちの製品のメールアドレスを {address} に変更しました。今後はそのアドレスで製品を開けます。',
  leftUnasked: 'お心当たりがない場合は、販売元にお問い合わせください。',

  movedSubject: '{product} の所有者が変更されました',
  movedText: '{developer} が {product}（{code}）の所有者を変更しました。お客様のメールアドレスでは開けなくなりました。',
  receivedSubject: '{product} がお客様の製品になりました',
  receivedText:
    '{developer} が {product}（{code}）をお客様に移しました。ダウンロードは、このメールアドレスとシリアルで開けます。',

  mineSubject: '{developer} の製品一覧',
  mineText: 'このメールアドレスに登録された {developer} の製品一覧がリクエストされました。',
  mineSubjectClosed: 'お持ちの製品一覧',
  mineTextClosed: 'このメールアドレスに登録された製品一覧がリクエストされました。',
  mineLink:
    'リンクを開くと、製品とシリアル、使用中のコンピューターを確認できます。有効期間は30分です。お心当たりがない場合は、このメールを無視してください。',
  mineLast:
    'リンクを開くと、シリアルとコンピューターとともに表示されます。これは当面最後のリンクで、24時間有効です。お心当たりがない場合は、このメールを無視してください。',
  mineOpen: 'すべての製品を開く',

  seatCodeSubject: '{developer} のプラグインを使用しているコンピューターの確認コード',
  seatCodeSubjectClosed: 'プラグインを使用しているコンピューターの確認コード',
  seatCodeText:
    'お持ちのライセンスを使用しているコンピューターの確認と解除がリクエストされました。このコードをプラグインに入力してください。',
  seatCodeLasts:
    'コードは15分間有効です。尋ねられても、ほかの人には教えないでください。お心当たりがない場合は、このメールを無視してください。コードがなければ何も変わりません。',
  seatCode: '確認コード',

  closedSubject: '{developer} がアカウントを閉鎖しました',
  closedText:
    '{developer} はプラグインのライセンス管理に Tonerow を利用していましたが、そのアカウントを閉鎖しました。お持ちの製品は引き続きお使いいただけます。プラグインの認証は有効なままで、これまでどおりコンピューターで認証できます。',
  closedDownload:
    '今のうちにファイルをダウンロードし、このメールを保管してください。ファイルが存在する限り、シリアルとこのメールアドレスでダウンロードを開けます。',
  closedUnredeemed: '未登録のシリアルは登録できなくなりました。お持ちの場合は、購入された店舗に返金をご相談ください。',

  quietSoldSubject: 'オーディオプラグインのコード',
  quietSoldText: 'このオーディオプラグインのコードが販売されました。下のページで内容を確認し、登録できます。',
  quietOrderedSubject: 'オーディオプラグインのコード',
  quietOrderedText: 'これらのオーディオプラグインのコードが販売されました。下のページで内容を確認し、登録できます。',
  quietGivenSubject: 'オーディオプラグインのシリアルが届きました',
  quietGivenText:
    'オーディオプラグインの開発元が、このメールアドレスにシリアルを割り当てました。開いて内容を確認し、ダウンロードできます。',
  quietMovedSubject: 'オーディオプラグインのシリアルが別の所有者に移されました',
  quietMovedText:
    'オーディオプラグインの開発元が、このメールアドレスのものだったシリアルを別の所有者に移しました。このアドレスでは開けなくなりました。',
  quietAddressSubject: 'オーディオプラグインがあなたのメールアドレスに登録されました',
  quietAddressText:
    'オーディオプラグインの開発元が、このメールアドレスにシリアルを登録しました。開いて内容を確認し、ダウンロードできます。',
  quietLeftSubject: 'プラグインの開発元に登録されたメールアドレスが変更されました',
  quietLeftText:
    'オーディオプラグインの開発元が、シリアルのメールアドレスを変更しました。このアドレスでは開けなくなりました。',
  quietVersionSubject: 'オーディオプラグインの新しいバージョンがあります',
  quietVersionText:
    'このメールアドレスで登録されたオーディオプラグインに新しいバージョンがあります。ダウンロードを開いて入手してください。一度開くと、開発元が詳しい内容をこのようなメールでお知らせできます。それまでは多くても月に1通です。',
  quietClosedSubject: 'プラグインの開発元がアカウントを閉鎖しました',
  quietClosedText:
    'このメールアドレスで登録されたオーディオプラグインの開発元は、ライセンスにTonerowを使用していましたが、そのアカウントを閉鎖しました。お持ちのものは引き続き使えます。プラグインはこれまでどおり認証され、コンピューターでアクティベートできます。',
  quietMaker: '開発元のメールアドレスは{maker}です。',
  quietSeller: '販売者のメールアドレスは{seller}です。',
  quietIgnore: 'お心当たりがない場合は、このメールを無視してください。',

  versionSubject: '{product} {version} が公開されました',
  versionText:
    '{product} の新しいバージョン {version} が公開されました。お持ちのライセンスでそのままご利用いただけます。',
  newVersion: '新しいバージョン',
  updatesAsk: 'お持ちの製品の新しいバージョンについての {developer} からのメールを停止しますか？',
  updatesStop: '配信を停止する',
  updatesStopped:
    '{developer} から新しいバージョンについてのメールは届かなくなります。登録した製品についてのメールは引き続き届きます。',
  updatesAgain: '配信を再開する',
  updatesWanted: '{developer} から、お持ちの製品の新しいバージョンについてのメールが届きます。',
  updatesGone: 'このアドレスへのこの種のメールの配信は終了しています。',
};
