"""Characters that are one letter to a reader: Traditional, Japanese and Simplified forms, small and large katakana.

Only those that occur in names and order words: it is no conversion of texts. Pairs stand together, the folded one second.
"""

from __future__ import annotations

_PAIRS = """
亞亚 亜亚 倫伦 區区 國国 圖图 奧奥 島岛 峽峡 愛爱 敘叙 時时 東东 灣湾 烏乌 爾尔 獅狮 窩窝 約约
納纳 維维 羅罗 義义 聖圣 臘腊 茲兹 華华 萊莱 薩萨 蘭兰 賽赛 軍军 達达 馬马 魯鲁 麥麦 黒黑 陸陆
艦舰 隊队 進进 動动 運运 輸输 護护 衛卫 擊击 撃击 開开 發发 発发 產产 産产 設设 増增 備备 駐驻
對对 対对 從从 経经 經经 過过 轉转 転转 給给 讓让 請请 謝谢 訂订 變变 変变 無无 會会 後后 飛飞
衝冲 衞卫 戰战 戦战 種种 號号 際际 實实 実实 與与 們们 這这 為为 個个 將将 選选 擇择 處处 処处
撥拨 佈布 裏里 裡里 臺台 灘滩 線线 沒没 棄弃 拋抛 滅灭 殲歼 銷销 刪删 創创 組组 織织 徵征 築筑
級级 換换 採采 應应 総总 總总 側侧 聯联 協协 幫帮 復复 據据 拠据 佔占 領领 奪夺 襲袭 徑径 綫线
氣气 気气 顧顾 單单 単单 騎骑 贊赞 賛赞 認认 訳译 連连 続续 續续 結结 絶绝 絕绝 終终 紅红 綠绿
緑绿 藍蓝 鉄铁 鐵铁 長长 門门 問问 間间 関关 關关 還还 遠远 邊边 辺边 帰归 歸归 廣广 広广 庫库
廳厅 庁厅 強强 弾弹 彈弹 當当 徳德 恵惠 惡恶 ァア ィイ ゥウ ェエ ォオ ッツ ャヤ ュユ ョヨ ヮワ
ヵカ ヶケ
駛驶 駕驾 減减 劃划 則则 剛刚 別别 勞劳 勢势 卻却 壓压 參参 嗎吗 員员 團团 場场 堅坚 聲声 審审 師师 廢废 廃废 執执 擴扩
揮挥 撐撑 舊旧 權权 権权 來来 殺杀 殘残 毀毁 畢毕 現现 確确 離离 繞绕 繼继 編编 縮缩 補补 計计 討讨 訓训 議议 許许 論论
訴诉 話话 說说 説说 調调 質质 負负 責责 敗败 趕赶 輪轮 載载 輔辅 辭辞 階阶 難难 靜静 機机 狀状 煩烦 滯滞 準准 兩两 両两
麼么 並并 併并 練练
"""

#: character -> the one that it is read as
FOLD: dict[str, str] = {pair[0]: pair[1] for pair in _PAIRS.split()}
